"""Limits shipped for an embedder and a language, for corpora too small to learn from and texts of none.

One JSON file a pair, ``<embedder>.<language>.json``, made by ``scripts/make_profiles.py``::

    {"schema": 1, "embedder": "use-multilingual", "language": "ko", "made_from": "datasets/ko",
     "limits": {"similarity_centred": {"limit": 0.12, "balanced_accuracy": 0.96, "auroc": 0.99,
                                       "good": 300, "bad": 600, "percentiles": [0.01, 0.5]}}}

``limit`` is the bad side's: values strictly below it are bad where low ones are, strictly above it where high ones are.
``percentiles`` are the good chunks' 1st and 99th. Beside it ``<embedder>.<language>.mean.npy``, the mean vector of the
sentences, (d,) float32: what similarity is centred by where there is no corpus.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkeval.results import Floats


@dataclass(frozen=True)
class Profile:
    """One column's limit for one embedder and language."""

    embedder: str
    language: str
    column: str
    limit: float
    auroc: float
    balanced_accuracy: float
    percentiles: tuple[float, float]
    """1st and 99th of the good chunks; the limit itself where the file does not say."""


def profile(embedder: str, language: str, column: str) -> Profile | None:
    """Find the limit shipped for an embedder and a language.

    Parameters
    ----------
    embedder
        Its registered name, as the run states it.
    language
        ``ko``, ``en``, …
    column
        Judged column, for example ``similarity_centred``.

    Returns
    -------
    Profile or None
        None where none is shipped.

    Examples
    --------
    >>> profile("no-such-embedder", "ko", "similarity_centred") is None
    True
    """
    for shipped in _shipped():
        if (shipped["embedder"], shipped["language"]) == (embedder, language) and column in shipped["limits"]:
            found = shipped["limits"][column]
            first, last = found.get("percentiles", (found["limit"], found["limit"]))
            return Profile(
                embedder, language, column, found["limit"], found["auroc"], found["balanced_accuracy"], (first, last)
            )
    return None


def mean_vector(embedder: str, language: str) -> Floats | None:
    """Find the mean sentence vector shipped for an embedder and a language.

    Parameters
    ----------
    embedder
        Its registered name.
    language
        ``ko``, ``en``, …

    Returns
    -------
    (d,) float64, or None
        None where none is shipped.

    Examples
    --------
    >>> mean_vector("use-multilingual", "ko").shape, mean_vector("use-multilingual", "ja") is None
    ((512,), True)
    """
    import numpy as np

    file = files(__name__) / f"{file_stem(embedder, language)}.mean.npy"
    if not file.is_file():
        return None
    with file.open("rb") as stored:
        mean: Floats = np.load(stored, allow_pickle=False).astype(np.float64)
    return mean


def file_stem(embedder: str, language: str) -> str:
    """Name a pair's files, without their endings.

    Examples
    --------
    >>> file_stem("intfloat/multilingual-e5-small", "ko")
    'intfloat--multilingual-e5-small.ko'
    """
    return f"{embedder.replace('/', '--')}.{language}"


@cache
def _shipped() -> tuple[Mapping[str, Any], ...]:
    found = sorted((f for f in files(__name__).iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return tuple(json.loads(f.read_text(encoding="utf-8")) for f in found)
