"""What an embedder learns from a corpus, kept: fitting takes longer than all else that judging the same chunks again does."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval.cache import digest

if TYPE_CHECKING:
    from chunkeval.cache import Cache
    from chunkeval.text.embeddings import Embedder, Fittable

KIND = "embedders"


def learned(embedder: Fittable, sentences: Sequence[str], seed: int, cache: Cache) -> Embedder:
    """Fit an embedder to sentences, or take what it has learned from the same ones before.

    Parameters
    ----------
    embedder
        One that learns.
    sentences, seed
        As `Fittable.fit` takes them.
    cache
        Keeps what was learned: under the sentences, the seed, the embedder's source and the versions of what it learns by.

    Examples
    --------
    >>> import tempfile
    >>> from chunkeval.cache import Cache
    >>> from chunkeval.text.lsa import LsaEmbedder
    >>> cache = Cache(tempfile.mkdtemp())
    >>> first, again = (learned(LsaEmbedder(), ["김치를 담근다.", "밥을 짓는다."], 0, cache) for _ in range(2))
    >>> first.fingerprint == again.fingerprint
    True
    """
    try:
        source = Path(inspect.getfile(type(embedder))).read_bytes()
    except (TypeError, OSError):  # written in a notebook: nothing says when it has changed
        return embedder.fit(sentences, seed)
    made_by = [f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn")]
    key = digest([source, type(embedder).__qualname__, *made_by, str(seed), *sentences])
    arrays = cache.load(KIND, key)
    if arrays:
        return embedder.fitted(arrays)
    fitted = embedder.fit(sentences, seed)
    if isinstance(fitted, type(embedder)):
        cache.store(KIND, key, dict(fitted.arrays))
    return fitted
