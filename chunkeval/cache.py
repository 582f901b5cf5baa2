"""Content-addressed parts on disk: what is computed once is never computed again, and a stopped run goes on where it was.

A part is an ``.npz`` (read without pickle) or a pair of ``.npy`` files, written under a temporary name and renamed.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def default_folder() -> Path:
    """``$CHUNKEVAL_CACHE``, else ``chunkeval`` under ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    if named := os.environ.get("CHUNKEVAL_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chunkeval"


def digest(parts: Iterable[str | bytes]) -> str:
    """Hash a sequence of strings; where one ends and the next begins matters.

    Examples
    --------
    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    h = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()


@lru_cache
def code(*packages: str) -> str:
    """Hash the source of packages: parts that other code has made are not taken for parts that this code would make.

    Examples
    --------
    >>> code("chunkeval.text") == code("chunkeval.analyzers")
    False
    """
    sources = [path for name in packages for path in sorted(Path(str(files(name))).glob("*.py"))]
    return digest(path.read_bytes() for path in sources)


class Cache:
    """A folder of parts by kind and key.

    Parameters
    ----------
    folder : str, Path or None
        `default_folder` where None.

    Raises
    ------
    ConfigError
        The folder cannot be written to.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = default_folder() if folder is None else Path(folder)
        self.reused = 0
        """Parts that an earlier run had computed."""
        self.opened: dict[Path, Any] = {}
        """What takes long to open, by its folder: once is enough for as long as this cache is at hand."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.folder).close()
        except OSError as error:
            raise ConfigError(
                f"cannot write to the cache folder {self.folder}: {error.strerror or error}; name another with --cache DIR"
            ) from error

    def load(self, kind: str, key: str) -> dict[str, NDArray[Any]] | None:
        """Arrays of a part, or None where it is missing or damaged."""
        import numpy as np

        try:
            with np.load(self._path(kind, key), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None
        return arrays

    def store(self, kind: str, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Write a part whole or not at all."""
        import numpy as np

        target = self._path(kind, key)
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".unfinished", delete=False) as file:
            np.savez(file, allow_pickle=False, **arrays)
        os.replace(file.name, target)

    def _path(self, kind: str, key: str) -> Path:
        return self.folder / kind / key[:2] / f"{key}.npz"
