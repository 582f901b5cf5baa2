"""Borders inside sentences are shifted to where a sentence ends: nothing lost, nothing worse, nothing else touched."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkeval as ce
from chunkeval.cli.main import main
from chunkeval.rechunk import Rechunked
from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.conservation import conserved
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.shifting import Shifts, borders
from chunkeval.rechunk.trial import Judged
from chunkeval.results import Flags

DOCUMENT = (
    "훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다. \u1112\u1161\u11ab글 낱자는 스물여덟이었다. 👩‍🎨 그림도 그렸다! "
    "It was published in 1446. Dr. Kim read it twice. （주석）자음은 혀의 모양을 본떴다。 띄어쓰기없이이어지는문장도있다. 끝이다."
)
CUT = ("starts_mid_sentence", "ends_mid_sentence")


def piece(start: int, end: int) -> Piece:
    return Piece(DOCUMENT[start:end], "문서", ((start, end),), (f"{start}-{end}",))


class Strict:
    """Finds fault with some texts by their hash, and counts characters as tokens."""

    def __init__(self, every: int) -> None:
        self.every = every

    def __call__(self, texts: Sequence[str], homes: Sequence[str]) -> list[Judged]:
        return [self.judged(text) for text in texts]

    def judged(self, text: str) -> Judged:
        bad = sum(map(ord, text)) % self.every == 0
        return Judged(len(text), float(bad), frozenset(["incoherent"] if bad else []), 0.0, True, False, None)


@st.composite
def tables(draw: st.DrawFn) -> list[Piece]:
    """Pieces in order: touching, overlapping, or with something missing between."""
    cuts = sorted(draw(st.sets(st.integers(1, len(DOCUMENT) - 1), min_size=1, max_size=9)))
    found = [piece(a, b) for a, b in zip([0, *cuts], [*cuts, len(DOCUMENT)], strict=True)]
    kinds = [draw(st.sampled_from(["touch", "touch", "overlap", "hole", "unknown"])) for _ in found]
    for at, kind in enumerate(kinds):
        start, end = (found[at].spans or ((0, 0),))[0]
        if kind == "overlap" and at:
            found[at] = piece(max(start - 7, 0), end)
        elif kind == "hole" and end - start > 2:
            found[at] = piece(start, end - 1)
        elif kind == "unknown":
            found[at] = Piece(found[at].text, "문서", None, found[at].parents)
    return found


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(2, 30), st.integers(10, 200))
def test_every_character_is_there_once_and_every_offset_holds(pieces: list[Piece], every: int, most: int) -> None:
    everywhere = set(range(len(pieces)))
    found = borders(pieces, (everywhere, everywhere), everywhere, splitter="rules", jobs=1)
    trial, good = Strict(every), Judged(1, 0.0, frozenset(), 0.0, True, False, None)
    shifts = Shifts(pieces, found, [good] * len(pieces), ["문서"] * len(pieces), trial, most)  # type: ignore[arg-type]
    settled = shifts.settle()
    changes = [Change("shift", one.places, one.pieces) for one in settled]
    instead = {change.rows[0]: change.pieces for change in changes}
    gone = {row for change in changes for row in change.rows}
    written = [p for at, own in enumerate(pieces) for p in instead.get(at, () if at in gone else (own,))]
    assert len(written) == len(pieces)
    conserved(range(len(pieces)), pieces, changes, written)
    for one in settled:
        for place, made in zip(one.places, one.pieces, strict=True):
            assert made.spans is not None
            (start, end) = made.spans[0]
            assert DOCUMENT[start:end] == made.text and made.text.strip()
            assert set(pieces[place].parents) <= set(made.parents)
            assert trial.judged(made.text).severity == 0
            assert len(made.text) <= max(most, len(pieces[place].text))


def test_the_border_goes_the_shortest_way_and_within_the_two_neighbours() -> None:
    first, second = DOCUMENT.index("각 글자는"), DOCUMENT.index("\u1112\u1161\u11ab글")
    for at, expected in ((first + 3, first), (second - 3, second), (first, None)):
        found = borders([piece(0, at), piece(at, len(DOCUMENT))], ({1}, {0}), {0, 1}, splitter="rules", jobs=1)
        assert [border.options[0] for border in found] == ([] if expected is None else [expected])
    # A sentence that spans a whole chunk: its borders can only go outwards.
    a, b = first + 2, second - 2
    found = borders(
        [piece(0, a), piece(a, b), piece(b, len(DOCUMENT))], ({1, 2}, {0, 1}), {0, 1, 2}, splitter="rules", jobs=1
    )
    assert [border.options[0] for border in found] == [first, second]


def paragraphs(count: int) -> str:
    told = "조선의 {n}번째 기록은 왕이 쓴 글이다. 그는 매일 아침 책을 읽고 신하들과 토론했다. 밤에는 별을 보며 달력을 고쳤다. "
    return "".join(told.format(n=n) for n in range(count))


LISTED = "# 준비물\n\n" + "".join(f"- {n}번 물건은 창고에 있다\n" for n in range(12)) + "\n모두 챙기면 출발한다.\n"
FENCED = (
    "먼저 이렇게 쓴다.\n\n```python\n"
    + "".join(f"value_{n} = {n}\n" for n in range(6))
    + "```\n\n그러면 값이 생긴다.\n"
)
TEXTS = {"가": paragraphs(6), "나": paragraphs(5)[20:], "list": LISTED, "code": FENCED}


def cut(folder: Path, size: int = 90, overlap: int = 0, **columns: object) -> Flags:
    rows = [
        (f"{doc}{n}", doc, n, text[a : a + size], a, min(a + size, len(text)), n + 1)
        for doc, text in TEXTS.items()
        for n, a in enumerate(range(0, len(text), size - overlap))
    ]
    frame = pd.DataFrame(rows, columns=["chunk_id", "doc_id", "position", "text", "start", "end", "page"])
    path = folder / "table.parquet"
    frame.assign(**columns).to_parquet(path)
    return ce.flag(ce.score(ce.load(path), analyzers=("tokens", "boundaries")), limit={"tokens": "1:200"})


def count(frame: pd.DataFrame) -> int:
    return sum(not set(CUT).isdisjoint(reasons) for reasons in frame["reasons"])


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> Flags:
    return cut(tmp_path_factory.mktemp("shift"))


@pytest.fixture(scope="module")
def done(flags: Flags) -> Rechunked:
    return ce.rechunk(flags)


def test_what_was_cut_inside_a_sentence_is_cured(flags: Flags, done: Rechunked) -> None:
    assert count(flags.frame) > 0.9 * len(flags.frame[flags.frame["doc_id"].isin(["가", "나"])])
    assert count(done.frame) <= 0.1 * count(flags.frame)
    shifted = done.facts["shifted"]
    assert shifted["chunks"]["before"] == shifted["chunks"]["after"] == len(flags.frame)
    assert shifted["flagged"]["after"] < 0.5 * shifted["flagged"]["before"]
    assert done.facts["changes"]["move"] >= shifted["move"] > 0
    # Code and lists are not parted any more than before: of the code no fence is cut.
    assert not any("cut_code" in reasons for reasons in done.frame["reasons"])


def test_the_new_table_is_the_same_documents(flags: Flags, done: Rechunked) -> None:
    chunks = done.chunks
    for doc, rows in chunks.groupby("doc_id"):
        assert "".join(rows.sort_values("position")["text"]) == TEXTS[str(doc)]
        assert rows.sort_values("position")["position"].tolist() == list(range(len(rows)))
        for row in rows.itertuples():
            assert TEXTS[str(doc)][row.start : row.end] == row.text
    assert not chunks["chunk_id"].duplicated().any()
    old = set(flags.frame["chunk_id"])
    fresh = chunks[~chunks["chunk_id"].isin(old)]
    named = {parent for parents in fresh["parent_ids"] for parent in parents}
    assert named == old - set(chunks["chunk_id"])


def test_each_chunk_keeps_the_metadata_of_its_own_row(flags: Flags, done: Rechunked) -> None:
    pages = done.chunks[done.chunks["doc_id"] == "가"]["page"].tolist()
    assert pages == sorted(pages) and len(set(pages)) > 3


def test_a_store_that_follows_the_changes_has_the_new_table(flags: Flags, tmp_path: Path) -> None:
    ce.report(flags, tmp_path / "run")
    assert main(["rechunk", str(tmp_path / "run"), "--out", str(tmp_path / "new")]) == 0
    store = {row.chunk_id: row.text for row in pd.read_parquet(flags.scores.chunks.path).itertuples()}
    for line in map(json.loads, (tmp_path / "new" / "changes.jsonl").read_text("utf-8").splitlines()):
        if line["op"] == "delete":
            del store[line["chunk_id"]]
        elif line["op"] == "insert":
            store[line["chunk_id"]] = line["text"]
    new = pd.read_parquet(tmp_path / "new" / "chunks.parquet")
    assert store == dict(zip(new["chunk_id"], new["text"], strict=True))
    assert "가장 가까운 끝으로 옮겼고" in (tmp_path / "new" / "report.html").read_text("utf-8")


def test_nothing_is_shifted_where_boundaries_did_not_run(tmp_path: Path, flags: Flags) -> None:
    judged = ce.flag(ce.score(ce.load(flags.scores.chunks.path), analyzers=("tokens",)), limit={"tokens": "1:200"})
    done = ce.rechunk(judged)
    assert "shifted" not in done.facts and done.facts["changes"]["move"] == 0


def test_nothing_is_shifted_where_places_are_unknown(tmp_path: Path) -> None:
    nowhere = pd.array([None] * 60, dtype="Int64")
    flags = cut(tmp_path)
    table = pd.read_parquet(flags.scores.chunks.path)
    flags = cut(tmp_path, start=nowhere[: len(table)], end=nowhere[: len(table)])
    assert "shifted" not in ce.rechunk(flags).facts


def test_what_a_person_decided_on_is_not_touched(flags: Flags) -> None:
    kept = ["가1", "가3"]
    done = ce.rechunk(flags, decisions=dict.fromkeys(kept, "keep"))
    assert set(kept) <= set(done.chunks["chunk_id"])


def test_no_piece_grows_beyond_the_size_allowed(flags: Flags) -> None:
    before = flags.frame["token_count"].max()
    done = ce.rechunk(flags, max_size=int(before))
    assert done.facts["shifted"]["move"] > 0
    assert done.frame["token_count"].max() <= before


def test_chunks_that_overlap_share_a_border_afterwards(tmp_path: Path) -> None:
    flags = cut(tmp_path, overlap=20)
    done = ce.rechunk(flags)
    assert count(done.frame) < 0.5 * count(flags.frame)
    held = done.facts["characters"]
    assert held["overlapped"] > 0 and held["before"] - held["overlapped"] == held["after"]
    for row in done.chunks.itertuples():
        assert TEXTS[str(row.doc_id)][row.start : row.end] == row.text


def test_random_tables_and_decisions_hold_every_rule(tmp_path: Path) -> None:
    """Cuts at random places of random sizes, some neighbours overlapping, some missing, decisions at random."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        rows = []
        for doc, text in TEXTS.items():
            cuts = np.sort(rng.choice(np.arange(1, len(text)), size=int(rng.integers(2, 9)), replace=False)).tolist()
            for n, (a, b) in enumerate(zip([0, *cuts], [*cuts, len(text)], strict=True)):
                a = max(a - int(rng.integers(0, 12)) * int(rng.random() < 0.3), 0)
                if rng.random() > 0.1:
                    rows.append((f"{doc}{n}", doc, n, text[a:b], a, b))
        path = tmp_path / f"{seed}.parquet"
        pd.DataFrame(rows, columns=["chunk_id", "doc_id", "position", "text", "start", "end"]).to_parquet(path)
        judged = ce.flag(ce.score(ce.load(path), analyzers=("tokens", "boundaries")))
        decided = {row[0]: str(rng.choice(["keep", "merge", "split", "drop"])) for row in rows if rng.random() < 0.1}
        done = ce.rechunk(judged, decisions=decided, rounds=2)
        held = done.facts["characters"]
        assert held["before"] == sum(len(row[3]) for row in rows)
        assert held["before"] - held["dropped"] - held["overlapped"] + held["joints"] == held["after"]
        assert {name for name, what in decided.items() if what == "keep"} <= set(done.chunks["chunk_id"])
        assert not done.chunks["chunk_id"].duplicated().any()
        assert int(done.frame["flagged"].sum()) <= int(judged.frame["flagged"].sum())
        for row in done.chunks.itertuples():
            if pd.notna(row.start):
                assert TEXTS[str(row.doc_id)][row.start : row.end] == row.text
        pd.testing.assert_frame_equal(ce.rechunk(judged, decisions=decided, rounds=2, jobs=1).chunks, done.chunks)
