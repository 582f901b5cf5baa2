"""How likely a section ends between two pieces, judged by layout alone: paragraph borders, headings, list items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.chunkers.base import Span

if TYPE_CHECKING:
    from chunkeval.results import Floats

SEGMENT = 10.0
"""Pieces that a segment has where nothing else is known."""
PARAGRAPH = 1.0
HEADING = np.inf
"""Odds before a heading: a boundary by itself."""
ODDS = {"heading": HEADING, "paragraph": PARAGRAPH, "colon": 0.1, "item": 0.05, "sentence": 0.03, "part": 0.003}
"""Odds of a section's end at each kind of border against those at a paragraph's end.

In a document of one kind of border only (no line breaks, or every sentence on a line of its own) they make no difference.
"""
_UNDER_HEADING = 1e-6
_GAIN = 12.0
"""Nats that a cut before a heading brings: more than two sections on one subject have in common, less than a minimum."""
_NEVER = 1_000.0
"""More nats than there is evidence for a cut."""
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S[^\n]*$|={1,6}[ \t][^=\n]+[ \t]={1,6}[ \t]*$")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•·▪◦‣]|\d{1,3}[.)])[ \t]")
_COLON = (":", "：")


def odds(text: str, spans: Sequence[Span], goes_on: Sequence[bool]) -> Floats:
    r"""Judge the border before each piece but the first.

    Parameters
    ----------
    text
        The document.
    spans
        Its pieces.
    goes_on
        Whether a piece begins within a sentence.

    Returns
    -------
    (n − 1,) float64
        Relative odds.

    Examples
    --------
    >>> text = "# 제목\n\n하나다. 둘이다.\n\n셋이다."
    >>> odds(text, [(0, 6), (6, 11), (11, 17), (17, 21)], [False] * 4).tolist()
    [1e-06, 0.03, 1.0]
    """
    found = np.empty(max(len(spans) - 1, 0))
    under = bool(spans) and _is_heading(text[slice(*spans[0])])
    for number, (before, after, inside) in enumerate(zip(spans, spans[1:], goes_on[1:], strict=False)):
        piece = text[slice(*after)]
        heading = not inside and _is_heading(piece)
        kind = "part" if inside else "heading" if heading else _kind(text[slice(*before)], piece)
        found[number] = _UNDER_HEADING if under else ODDS[kind]
        under = heading
    return found


def penalties(relative: Floats, mean: float = SEGMENT) -> Floats:
    """Turn odds into what a segment that begins at a piece costs, in nats: −log p / (1 − p) at its border.

    Parameters
    ----------
    relative : (n − 1,)
        As `odds` gives them; their common factor is such that a segment is expected to have ``mean`` pieces.
    mean
        At least 1.

    Returns
    -------
    (n,) float64
        0 for the first piece.

    Examples
    --------
    >>> penalties(np.ones(19)).round(2).tolist()[:2]
    [0.0, 4.19]
    """
    open_borders = np.isfinite(relative)
    logs = np.log(relative[open_borders])
    headings = len(relative) - len(logs)
    wanted = min(max((len(relative) + 1) / mean - 1 - headings, 0.5), 0.9 * len(logs))
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        if (1 / (1 + np.exp(-(middle + logs)))).sum() < wanted:
            low = middle
        else:
            high = middle
    # The mean of log L / mean + 1 − L / mean, so that segments of the mean length cost nothing for their length.
    length = np.log(mean) - 1
    return _costs(relative, length - (low + logs))


def given(relative: Floats, penalty: float) -> Floats:
    """Make costs of a penalty for the likeliest borders of a document, headings aside.

    Parameters
    ----------
    relative : (n − 1,)
        As `odds` gives them.
    penalty
        In nats.

    Returns
    -------
    (n,) float64
        0 for the first piece.

    Examples
    --------
    >>> given(np.array([0.03, 0.03]), 2.0).tolist()
    [0.0, 2.0, 2.0]
    """
    others = relative[np.isfinite(relative)]
    return _costs(relative, penalty + np.log(others.max(initial=_UNDER_HEADING)) - np.log(others))


def forced(relative: Floats) -> Floats:
    """Make costs under which nothing is cut but before headings, and where the maximum forces it.

    Examples
    --------
    >>> forced(np.array([0.03, np.inf])).tolist()
    [0.0, 1000.0, -12.0]
    """
    return _costs(relative, np.full(int(np.isfinite(relative).sum()), _NEVER))


def _costs(relative: Floats, others: Floats) -> Floats:
    costs = np.full(len(relative) + 1, -_GAIN)
    costs[0] = 0.0
    costs[1:][np.isfinite(relative)] = others
    return costs


def _kind(before: str, after: str) -> str:
    spoken = before.rstrip()
    gap = before[len(spoken) :]
    if "\n" not in gap and "\r" not in gap:
        return "sentence"
    if spoken.endswith(_COLON):
        return "colon"
    return "item" if _ITEM.match(after) else "paragraph"


def _is_heading(piece: str) -> bool:
    return _HEADING.match(piece.strip("\r\n \t")) is not None
