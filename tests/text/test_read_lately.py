"""Korean pieces that were read lately are not read again, and say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from chunkeval.text import korean
from chunkeval.text.sentences import split

TEXTS = ["학교에 갔다. 집에 왔다.", "학교에 갔다. 집에 왔다.", "잠을 잤다! 꿈을 꾸었다…"]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Kiwi was given."""
    given: list[str] = []
    ask = korean._read

    def noted(texts: Sequence[str], *, jobs: int | None, words: bool) -> Iterator[korean.Analysed]:
        given.extend(texts)
        return ask(texts, jobs=jobs, words=words)

    monkeypatch.setattr(korean, "_read", noted)
    monkeypatch.setattr(korean, "_lately", korean._Lately())
    return given


def test_a_piece_is_read_once(read: list[str]) -> None:
    first = list(korean.analysed(TEXTS, jobs=1, words=False))
    assert read == [TEXTS[0], TEXTS[2]]
    assert list(korean.analysed(TEXTS[::-1], jobs=1, words=False)) == first[::-1]
    assert read == [TEXTS[0], TEXTS[2]]
    assert [found.starts for found in korean.analysed(TEXTS, jobs=1, words=True)] == [found.starts for found in first]
    assert first[0].starts == [start for start, _ in split(TEXTS[0], "kiwi")]


def test_what_was_read_longest_ago_is_forgotten(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(korean, "_LATELY", len(TEXTS[0]) + 1)
    for text in (TEXTS[0], TEXTS[2], TEXTS[2], TEXTS[0]):
        list(korean.analysed([text], jobs=1, words=False))
    assert read == [TEXTS[0], TEXTS[2], TEXTS[0]]
