"""Keyword search: how often keywords stand in a text, longer ones counting more; no index, the texts themselves are read.

Du et al. 2026, "A-RAG: Scaling Agentic Retrieval-Augmented Generation via Hierarchical Retrieval Interfaces".
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.retrieval.ranking import Ranking, padded, summed
from chunkeval.text.folding import caseless

if TYPE_CHECKING:
    from chunkeval.results import Floats, Ints

Weight = Literal["chars", "bytes", "idf"]
"""What an occurrence of a keyword counts: its length in characters, its length in UTF-8, or how rare it is."""


def folded(text: str) -> bytes:
    r"""Bring a text to the form in which keywords are looked for: composed (NFC), without case, in UTF-8.

    Examples
    --------
    >>> folded("ABC \u1100\u1161") == "abc 가".encode()
    True
    """
    return caseless(text).encode("utf-8", "replace")


def terms(keywords: Iterable[str]) -> list[str]:
    """Give the folded keywords, each once, in their order.

    Raises
    ------
    ValueError
        A keyword is empty or blank: it would stand everywhere.

    Examples
    --------
    >>> terms(["Seoul", "서울", "SEOUL"])
    ['seoul', '서울']
    """
    found = dict.fromkeys(caseless(keyword) for keyword in keywords)
    if any(not term.strip() for term in found):
        raise ValueError("a keyword is empty")
    return list(found)


def counts(texts: Iterable[bytes], wanted: Sequence[str]) -> Any:
    """Count terms in texts, without overlap from the left.

    Parameters
    ----------
    texts
        n texts, as `folded` gives them; read once, in order.
    wanted
        t different terms, as `terms` gives them.

    Returns
    -------
    scipy.sparse.csr_array
        (n, t) whole numbers.

    Examples
    --------
    >>> counts([folded("아아아"), folded("Aa aA"), folded("none")], ["아아", "aa"]).toarray().tolist()
    [[1, 0], [0, 2], [0, 0]]
    """
    from scipy.sparse import csr_array

    needles = list(enumerate(term.encode("utf-8", "replace") for term in wanted))
    number, term, ends = array("q"), array("q"), array("q", [0])
    for text in texts:
        for j, needle in needles:
            if found := text.count(needle):
                number.append(found)
                term.append(j)
        ends.append(len(term))
    parts = (np.array(number, np.int64), np.array(term, np.int64), np.array(ends, np.int64))
    return csr_array(parts, shape=(len(ends) - 1, len(wanted)))


def search(texts: Iterable[bytes], queries: Sequence[Sequence[str]], k: int, weight: Weight = "chars") -> Ranking:
    """Rank texts by the keywords of each of many queries: Σ over keywords of occurrences × weight.

    Parameters
    ----------
    texts
        n texts, as `folded` gives them; read once, in order.
    queries
        The keywords of each query; one that comes twice counts once.
    k
        Results of each query at most. A text without any keyword is no result; equal scores come in the texts' order.
    weight
        ``chars``: code points of the folded keyword. ``bytes``: its length in UTF-8, which gives a Hangul syllable the
        weight of three letters. ``idf``: ln(1 + n / texts that have it).

    Raises
    ------
    ValueError
        A keyword is empty.

    Examples
    --------
    >>> found = search([folded("서울 부산"), folded("부산 부산항"), folded("대구")], [["부산"], ["부산항", "서울"]], 5)
    >>> found.rows.tolist(), found.scores.tolist()
    ([[1, 0], [1, 0]], [[4.0, 2.0], [3.0, 2.0]])
    """
    asked = [terms(query) for query in queries]
    wanted = list(dict.fromkeys(term for query in asked for term in query))
    column = {term: number for number, term in enumerate(wanted)}
    found = counts(texts, wanted).tocsc()
    weights = _weights(found, wanted, weight)
    return padded(_ranked(found, [column[term] for term in query], weights, k) for query in asked)


def _weights(found: Any, wanted: Sequence[str], weight: Weight) -> Floats:
    if weight == "idf":
        having = np.maximum(np.diff(found.indptr), 1).astype(np.float64)
        rarity: Floats = np.log1p(found.shape[0] / having)
        return rarity
    sizes = [len(term.encode("utf-8", "replace")) if weight == "bytes" else len(term) for term in wanted]
    return np.array(sizes, np.float64)


def _ranked(found: Any, columns: Sequence[int], weights: Floats, k: int) -> tuple[Ints, Floats]:
    parts = [slice(found.indptr[column], found.indptr[column + 1]) for column in columns]
    each = [found.data[part] * weights[column] for part, column in zip(parts, columns, strict=True)]
    return summed([found.indices[part] for part in parts], each, k)
