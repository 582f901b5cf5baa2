"""Small documents, and ways to cut them without a chunker."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pandas as pd

from chunkeval.compare import Comparison

TOPICS = (
    "판다는 대나무를 먹는다. 판다는 곰과에 속한다. 판다는 중국에 산다. ",
    "은행은 금리를 올렸다. 은행은 대출을 줄였다. 은행은 예금을 늘렸다. ",
    "Aircraft have wings. Aircraft burn fuel. Aircraft land on runways. ",
)


def text_of(number: int) -> str:
    """Two topics of three sentences each, no two documents alike."""
    first, second = TOPICS[number % 3], TOPICS[(number + 1) % 3]
    return f"{number}번 문서이다. {first}{number}쪽이다. {second}".strip()


DOCUMENTS = {f"문서{number:02}": text_of(number) for number in range(24)}


def table(cuts: Callable[[str], list[int]], documents: dict[str, str] = DOCUMENTS) -> pd.DataFrame:
    """Chunks of every document between cuts, with offsets."""
    rows = []
    for name, text in documents.items():
        places = [0, *(place for place in cuts(text) if 0 < place < len(text)), len(text)]
        for start, end in pairwise(places):
            rows.append({"doc_id": name, "text": text[start:end], "start": start, "end": end})
    return pd.DataFrame(rows)


def halves(text: str) -> list[int]:
    """Cut where the second topic begins."""
    return [text.index("쪽이다. ") + len("쪽이다. ")]


def every(size: int) -> Callable[[str], list[int]]:
    """Cut every so many characters."""
    return lambda text: list(range(size, len(text), size))


def line_of(done: Comparison, name: str) -> dict[str, Any]:
    """What is said of one strategy."""
    return dict(next(one for one in done.facts["strategies"] if one["name"] == name))
