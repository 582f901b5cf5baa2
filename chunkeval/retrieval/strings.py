"""Many strings in two flat files: mapped from disk, opened at once, each read when it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints


class Strings:
    """Strings in UTF-8, one behind the other, with the places where they begin; see `write` for the files.

    Raises
    ------
    ValueError, OSError
        A file is missing or damaged.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._bytes: NDArray[np.uint8] = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        self._bounds: Ints = np.load(folder / f"{name}.bounds.npy", mmap_mode="r", allow_pickle=False)
        if self._bounds[0] != 0 or self._bounds[-1] != len(self._bytes):
            raise ValueError(f"{name}.bounds.npy does not fit {name}.npy")

    def __len__(self) -> int:
        """Count them."""
        return len(self._bounds) - 1

    def __getitem__(self, row: int) -> str:
        """Read one."""
        return self._bytes[self._bounds[row] : self._bounds[row + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        """Read all, in order."""
        return (each.decode() for each in self.encoded())

    def encoded(self) -> Iterator[bytes]:
        """Read all in UTF-8, in order."""
        held = self._bytes.data
        return (bytes(held[a:b]) for a, b in pairwise(self._bounds.tolist()))


def write(folder: Path, name: str, strings: Iterable[bytes]) -> None:
    """Write strings in a stream: ``<name>.npy``, their bytes, and ``<name>.bounds.npy``, (n + 1,) where each begins.

    Parameters
    ----------
    folder
        Where the files are to be.
    strings
        In UTF-8.
    """
    bounds = array("q", [0])
    with (folder / f"{name}.npy").open("wb") as file:
        _header(file, 0)
        for each in strings:
            file.write(each)
            bounds.append(bounds[-1] + len(each))
        file.seek(0)
        _header(file, bounds[-1])
    np.save(folder / f"{name}.bounds.npy", np.array(bounds, np.int64), allow_pickle=False)


def _header(file: BinaryIO, size: int) -> None:
    """Write the header of a flat array of bytes: of one length whatever the size, so that it can be written again."""
    np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
