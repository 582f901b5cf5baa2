"""Embedders by name, and the vectors of all distinct sentences: computed once, kept on disk, looked up by content."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from chunkeval import registry
from chunkeval.cache import digest
from chunkeval.errors import ConfigError, unknown_name
from chunkeval.text.hub import on_hub
from chunkeval.text.tokens import HuggingFaceCounter

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    from chunkeval.cache import Cache
    from chunkeval.progress import Step
    from chunkeval.results import Arrays, Ints

PART = 4096
"""Sentences a stored part."""
WARM_UP = "."
"""Encoded first, alone: what a model sets up on its first call is not for several threads."""
_PARTS = 64
"""Parts at least, so that no thread waits long for another. As many with any number of threads: what is encoded together decides
the last bits of the vectors, and a clustering can hang on those."""
_FEWEST = 128
"""Sentences a part all the same, where there are so many: a folder of thousands of small parts takes long to open."""
LONGEST = 10_000
"""Code points of a sentence that are embedded; what is longer is no sentence."""


class Embedder(Protocol):
    """Sentences to vectors."""

    name: str
    fingerprint: str
    """Names model and version: vectors of one fingerprint are interchangeable."""
    dimension: int
    context: int | None
    """Tokens it reads, special tokens left out; None where it reads all."""
    parallel: bool
    """Whether several threads may encode at once."""

    def encode(self, texts: Sequence[str], batch: int) -> NDArray[np.float32]:
        """Give the texts' vectors, (n, dimension); ``batch`` texts a model call."""
        ...

    def count(self, texts: Sequence[str]) -> Ints:
        """Give the number of tokens of each text, special tokens left out."""
        ...


@runtime_checkable
class Fittable(Protocol):
    """An embedder that learns from the corpus before it encodes."""

    arrays: Arrays

    def fit(self, texts: Sequence[str], seed: int) -> Embedder:
        """Learn from sentences and give an embedder that can encode."""
        ...

    def fitted(self, arrays: Arrays) -> Embedder:
        """Give the embedder that learned these arrays."""
        ...


class SentenceTransformerEmbedder:
    """Any sentence-transformers model, by hub name or folder.

    Raises
    ------
    ConfigError
        There is no such model here.
    """

    def __init__(self, name: str) -> None:
        self._model = _sentence_transformer(name)
        self.name = name
        self.dimension = int(self._model.get_embedding_dimension() or 0)
        self.parallel = self._model.device.type == "cpu"
        longest = self._model.max_seq_length
        special = self._model.tokenizer.num_special_tokens_to_add()
        self.context = int(longest) - special if longest else None
        self._counter = HuggingFaceCounter(name, self._model.tokenizer, self.context)
        self.fingerprint = _fingerprint(self._model, self._counter.fingerprint)

    def encode(self, texts: Sequence[str], batch: int) -> NDArray[np.float32]:
        """Give the texts' vectors; the model sorts by length itself."""
        vectors: NDArray[np.float32] = self._model.encode(
            list(texts), batch_size=batch, show_progress_bar=False, convert_to_numpy=True
        )
        return vectors

    def count(self, texts: Sequence[str]) -> Ints:
        """Give the number of tokens of each text."""
        return self._counter.count(texts)

    def unknown(self, texts: Sequence[str]) -> float:
        """Give the share of the texts' tokens that the vocabulary does not have."""
        none = self._model.tokenizer.unk_token_id
        ids = self._model.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"] if texts else []
        tokens = sum(map(len, ids))
        return sum(row.count(none) for row in ids) / tokens if tokens and none is not None else 0.0


def load(name: str) -> Embedder:
    """Give the embedder of a name: a registered one, else a sentence-transformers folder or hub name.

    Raises
    ------
    ConfigError
        Neither is found; the message gives the nearest registered name.
    """
    if name in registry.entries("embedders"):
        embedder: Embedder = registry.find("embedders", name)()
        return embedder
    return SentenceTransformerEmbedder(name)


def opened(cache: Cache, embedder: Embedder) -> VectorStore:
    """Give the vectors that a cache has of an embedder; their index is read once, however often they are asked for."""
    folder = cache.folder / "vectors" / digest([embedder.fingerprint])
    if folder not in cache.opened:
        cache.opened[folder] = VectorStore(folder)
    store: VectorStore = cache.opened[folder]
    return store


def keys_of(sentences: Sequence[str]) -> NDArray[np.uint64]:
    """64-bit content keys of sentences."""
    digests = b"".join(blake2b(s.encode("utf-8", "surrogatepass"), digest_size=8).digest() for s in sentences)
    return np.frombuffer(digests, dtype=np.uint64)


class VectorStore:
    """Vectors by content key, in parts on disk; opened parts are mapped, never read whole, and their index when needed.

    Parameters
    ----------
    folder : Path
        Holds the parts of one fingerprint: ``<name>.keys.npy`` (k,) uint64 and ``<name>.vectors.npy`` (k, d) float32.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._parts: list[str] = []
        self._keys: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._at: Ints = np.zeros((0, 2), np.int64)
        self._read = False

    def missing(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Say which keys have no vector yet."""
        self._open()
        if not len(self._keys):
            return np.ones(len(keys), dtype=bool)
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        absent: NDArray[np.bool_] = self._keys[found] != keys
        return absent

    def gather(self, keys: NDArray[np.uint64], dimension: int) -> NDArray[np.float32]:
        """Give the vectors of keys, (k, dimension)."""
        out = np.empty((len(keys), dimension), np.float32)
        if not len(keys):
            return out
        self._open()
        at = self._at[np.searchsorted(self._keys, keys)]
        for part in np.unique(at[:, 0]):
            rows = np.flatnonzero(at[:, 0] == part)
            stored = np.load(self.folder / f"{self._parts[part]}.vectors.npy", mmap_mode="r", allow_pickle=False)
            out[rows] = stored[at[rows, 1]]
        return out

    def fill(self, sentences: dict[int, str], embedder: Embedder, *, jobs: int, batch: int, step: Step) -> None:
        """Encode sentences by key and store them, part by part; what is stored stays if the work is stopped.

        Sorted by length, so that a batch holds sentences of like length and little padding.
        """
        from threadpoolctl import threadpool_limits

        order = sorted(sentences, key=lambda key: (len(sentences[key]), key))
        size = min(PART, max(_FEWEST, -(-len(order) // _PARTS)))
        parts = [order[i : i + size] for i in range(0, len(order), size)]
        workers = jobs if embedder.parallel else 1

        def encode(part: list[int]) -> str:
            vectors = embedder.encode([sentences[key][:LONGEST] for key in part], batch)
            name = self._write(np.array(part, dtype=np.uint64), np.ascontiguousarray(vectors, dtype=np.float32))
            step.advance(len(part))
            return name

        if not parts:
            return
        self._open()
        with threadpool_limits(1), _one_torch_thread(embedder, workers), ThreadPoolExecutor(workers) as pool:
            if workers > 1:
                embedder.encode([WARM_UP], batch)
            names = list(pool.map(encode, reversed(parts)))
        self._index(names)

    def _open(self) -> None:
        if not self._read:
            self._read = True
            self._index([path.name.removesuffix(".keys.npy") for path in sorted(self.folder.glob("*.keys.npy"))])

    def _write(self, keys: NDArray[np.uint64], vectors: NDArray[np.float32]) -> str:
        name = digest([keys.tobytes()])
        for kind, array in (("vectors", vectors), ("keys", keys)):
            unfinished = self.folder / f"{name}.{kind}.{os.getpid()}.unfinished"
            with unfinished.open("wb") as file:
                np.save(file, array, allow_pickle=False)
            os.replace(unfinished, self.folder / f"{name}.{kind}.npy")
        return name

    def _whole(self, name: str) -> NDArray[np.uint64] | None:
        """Keys of a part, None where one of its files is missing or damaged: its sentences are then embedded again."""
        try:
            keys = np.load(self.folder / f"{name}.keys.npy", allow_pickle=False)
            vectors = np.load(self.folder / f"{name}.vectors.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        fits = keys.dtype == np.uint64 and vectors.ndim == 2 and keys.shape == vectors.shape[:1]
        return keys if fits else None

    def _index(self, names: Sequence[str]) -> None:
        keys, at = [self._keys], [self._at]
        for name in names:
            stored = self._whole(name)
            if stored is None:
                continue
            keys.append(stored)
            at.append(np.stack([np.full(len(stored), len(self._parts)), np.arange(len(stored))], axis=1))
            self._parts.append(name)
        every, first = np.unique(np.concatenate(keys), return_index=True)
        self._keys, self._at = every, np.concatenate(at)[first]


@contextmanager
def _one_torch_thread(embedder: Embedder, workers: int) -> Iterator[None]:
    """Several threads with one torch thread each encode faster than one thread with several."""
    if workers < 2 or not isinstance(embedder, SentenceTransformerEmbedder):
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _fingerprint(model: Any, tokenizer: str) -> str:
    h = blake2b(digest_size=16)
    for name, parameter in sorted(model.state_dict().items()):
        h.update(name.encode())
        h.update(parameter.detach().cpu().contiguous().flatten().view(_bytes_type()).numpy())
    return f"st-{digest([h.hexdigest(), tokenizer, str(model), str(model.max_seq_length)])}"


def _bytes_type() -> Any:
    import torch

    return torch.uint8


def _sentence_transformer(name: str) -> SentenceTransformer:
    """Load a folder or what the hub's cache has; ask the hub once before anything is downloaded."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # a second bar, on standard error even where none was asked for
    here = Path(name).exists()
    try:
        return SentenceTransformer(name, local_files_only=True)
    except (OSError, ValueError) as error:
        if here:
            raise ConfigError(
                f"{name} is no sentence-transformers folder: {str(error).splitlines()[0][:160]}"
            ) from error
        if not on_hub(name) and not on_hub(f"sentence-transformers/{name}"):
            unknown = unknown_name("embedder", name, registry.entries("embedders"))
            raise ConfigError(f"{unknown}; nor is it a folder here or a model that the hub gives") from error
    return SentenceTransformer(name)
