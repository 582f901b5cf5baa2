"""Limits shipped for an embedder and a language, for corpora too small to learn from.

One JSON file a pair, ``<embedder>.<language>.json``, made by ``scripts/make_profiles.py``::

    {"schema": 1, "embedder": "use-multilingual", "language": "ko", "made_from": "datasets/ko",
     "limits": {"similarity_centred": {"limit": 0.12, "balanced_accuracy": 0.96, "auroc": 0.99,
                                       "good": 300, "bad": 600}}}

``limit`` is the bad side's: values strictly below it are bad where low ones are, strictly above it where high ones are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Profile:
    """One column's limit for one embedder and language."""

    embedder: str
    language: str
    column: str
    limit: float
    auroc: float
    balanced_accuracy: float


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
            return Profile(embedder, language, column, found["limit"], found["auroc"], found["balanced_accuracy"])
    return None


@cache
def _shipped() -> tuple[Mapping[str, Any], ...]:
    found = sorted((f for f in files(__name__).iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return tuple(json.loads(f.read_text(encoding="utf-8")) for f in found)
