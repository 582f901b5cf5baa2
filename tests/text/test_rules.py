"""The rule-based splitter by itself: offsets, windows, no quadratic time."""

import time

import pytest

from chunkeval.text.rules import sentence_starts


def cut(text: str, locale: str = "en") -> list[str]:
    starts = sentence_starts(text, 0, len(text), locale)
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def test_a_long_text_is_cut_like_its_parts() -> None:
    paragraph = "Dr. Smith paid $3.50 for it. See https://example.com/a.b?c=1 now. He left at 5 p.m. on Monday! Why? "
    assert cut(paragraph * 200) == cut(paragraph) * 200


def test_piece_gives_offsets_in_the_text() -> None:
    text = "Left out. One here. Two there. Left out."
    assert sentence_starts(text, 10, 31, "en") == [10, 20]
    assert sentence_starts(text, 5, 5, "en") == []


@pytest.mark.parametrize("text", ["One. 2. Two", "He is no. 5. She is no. 6.", "It was 3.14. Then 2.71."])
def test_numbers_stay_whole(text: str) -> None:
    assert "".join(cut(text)) == text
    assert all(not part.strip().rstrip(".").isdigit() for part in cut(text))


@pytest.mark.parametrize(
    "text", ["a" * 400_000, "a." * 200_000, '"a. ' * 50_000, "1. " * 20_000, "(a. " * 50_000, " " * 400_000]
)
def test_no_quadratic_time(text: str) -> None:
    start = time.process_time()
    sentence_starts(text, 0, len(text), "en")
    assert time.process_time() - start < 8
