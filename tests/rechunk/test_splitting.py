"""Very long chunks, whose halves are as bad as they are and bad in more ways: what the cuts leave in the end counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from made_rechunk import judged_rows

import chunkeval as ce
from chunkeval.rechunk.parts import Parts, best
from chunkeval.rechunk.splitting import at_weakest
from chunkeval.rechunk.trial import Judged

pytestmark = pytest.mark.usefixtures("undrawn_runs")


class Letters:
    """Judges strings of letters, each letter a subject: more than four are too long, two to four subjects incoherent."""

    def __call__(self, texts: Sequence[str], homes: Sequence[str]) -> list[Judged]:
        return [self._judge(text) for text in texts]

    def _judge(self, text: str) -> Judged:
        marks = {
            "too_long": len(text) > 4,
            "incoherent": 2 <= len(set(text)) <= 4,
            "too_short": len(text) < 2,
        }
        reasons = frozenset(name for name, flagged in marks.items() if flagged)
        return Judged(
            weight=len(text),
            severity=float(bool(reasons)),
            reasons=reasons,
            similarity=0.0,
            measurable=True,
            split=bool(reasons - {"too_short"}),
            cut=len(text) // 2 if len(text) > 1 else None,
        )


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("aaaabbbbccccddddeeeeffffgggghhhh", [4, 8, 12, 16, 20, 24, 28]),
        ("aaaabbbbccccddddeeeeffffgggghhhi", [4, 8, 12, 16]),
        ("aaaabbbb", [4]),
        ("abab", []),
        ("aaaa", []),
    ],
)
def test_a_cut_is_judged_by_what_is_left_in_the_end(text: str, cuts: list[int]) -> None:
    assert at_weakest([text], ["d"], Letters(), [False]) == [cuts]  # type: ignore[arg-type]


def test_what_must_not_be_left_alone_stays_with_a_neighbour_from_across_a_cut() -> None:
    parts = Parts(["a" * 8], ["d"], Letters())  # type: ignore[arg-type]
    parts.judge([(0, 0, 8), (0, 0, 3), (0, 3, 8), (0, 3, 4), (0, 4, 8)])
    assert best(parts.judged[0], {"too_long"}) == [(0, 3), (3, 8)]
    parts.join([{"too_long"}])
    assert best(parts.judged[0], {"too_long"}) == [(0, 4), (4, 8)]


@pytest.mark.parametrize(("text", "cuts"), [("aaaa", [2]), ("aa", []), ("a", []), ("", [])])
def test_what_a_person_wants_split_is_split_where_that_is_no_worse(text: str, cuts: list[int]) -> None:
    assert at_weakest([text], ["d"], Letters(), [True]) == [cuts]  # type: ignore[arg-type]


def test_a_very_long_chunk_is_cut_up(tmp_path: Path) -> None:
    """Severity ends at 1: a half of it is no less bad by that, nor a quarter."""
    sentences = [f"{number}번째 글은 짧고 하나뿐이다. " for number in range(128)]
    pairs = [first + second for first, second in zip(sentences[::2], sentences[1::2], strict=True)]
    texts = [*pairs, "".join(sentences)]
    flags = judged_rows(texts, tmp_path, "5:60", doc_id=["d"] * 64 + ["e"], position=[*range(64), 0])
    assert flags.frame["flagged"].sum() == 1
    done = ce.rechunk(flags)
    chunks = done.chunks[done.chunks["doc_id"] == "e"]
    assert "".join(chunks["text"]) == texts[-1]
    assert len(chunks) > 8 and not done.frame["flagged"].any()
