"""Where chunks lie in two lanes: on real text against the tables, and in made-up documents of every kind."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval import outputs
from chunkeval.cli.main import main
from chunkeval.rechunk.lanes import DRAWN, LONGEST, _lanes, _stretch, lanes, segments
from chunkeval.rechunk.places import Row, laid
from chunkeval.report.lanes import Box, Changed, Lanes
from chunkeval.results import ChunkFile, Flags, Scores, SourceInfo, State
from chunkeval.runs import CHANGES, open_run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run of some Korean documents, and the run that came of cutting it again."""
    table = pd.read_csv(ROOT / "datasets" / "ko" / "chunks.csv")
    some = table[table["doc_id"].isin(table["doc_id"].unique()[:6])]
    folder = tmp_path_factory.mktemp("lanes")
    some.to_csv(folder / "chunks.csv", index=False)
    before, after = folder / "run", folder / "again"
    read = ["audit", str(folder / "chunks.csv"), "--out", str(before), "--analyzers", "tokens,similarity", "--quiet"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outputs, "_draw", lambda *_: None)
        assert main(read) == 0
        assert main(["rechunk", str(before), "--out", str(after), "--quiet"]) == 0
    return before, after


def table_of(run: Path) -> pd.DataFrame:
    """A run's chunks with their flags."""
    flagged = open_run(run).flags.frame[["chunk_id", "flagged", "similarity_centred"]]
    return pd.read_parquet(run / "chunks.parquet").merge(flagged, on="chunk_id")


def drawn_of(run: Path) -> Changed:
    found = open_run(run).lanes
    assert found is not None
    return found


def test_boxes_and_borders_are_those_of_the_tables(runs: tuple[Path, Path]) -> None:
    before, after = runs
    drawn, tables = drawn_of(after), [table_of(run) for run in runs]
    assert drawn == lanes(open_run(before).flags, open_run(after).flags)
    gone = set(tables[0]["chunk_id"]) - set(tables[1]["chunk_id"])
    assert drawn.documents == len(drawn.drawn) == tables[0].loc[tables[0]["chunk_id"].isin(gone), "doc_id"].nunique()
    for one in drawn.drawn:
        assert one.known and one.left_out == 0
        starts = []
        for table, other, boxes in zip(tables, tables[::-1], (one.before, one.after), strict=True):
            rows = table[table["doc_id"] == one.doc_id].sort_values("position")
            assert [(box.start, box.end) for box in boxes] == list(zip(rows["start"], rows["end"], strict=True))
            assert [box.standing == "flagged" for box in boxes] == rows["flagged"].tolist()
            unmeasured = rows["similarity_centred"].isna() & ~rows["flagged"]
            assert [box.standing == "unmeasured" for box in boxes] == unmeasured.tolist()
            assert [box.changed for box in boxes] == (~rows["chunk_id"].isin(other["chunk_id"])).tolist()
            starts.append(set(rows["start"].tolist()[1:]))
        found = {
            fate: [border for border in one.borders if border.fate == fate] for fate in ("kept", "moved", "new", "gone")
        }
        assert {border.before for border in found["kept"]} == starts[0] & starts[1]
        assert {border.before for border in found["moved"] + found["gone"]} == starts[0] - starts[1]
        assert {border.after for border in found["moved"] + found["new"]} == starts[1] - starts[0]
    named = {name for one in drawn.drawn for step in one.steps for _, name in step.before}
    assert named == gone


def test_they_survive_new_limits(runs: tuple[Path, Path], tmp_path: Path) -> None:
    _, after = runs
    assert (
        main(["flag", str(after), "--out", str(tmp_path / "flagged"), "--limit", "similarity_centred=0.2", "--quiet"])
        == 0
    )
    assert main(["flag", str(tmp_path / "flagged"), "--quiet"]) == 0
    assert drawn_of(tmp_path / "flagged") == drawn_of(after)
    assert (tmp_path / "flagged" / CHANGES).read_bytes() == (after / CHANGES).read_bytes()
    old, new = (json.loads((run / "summary.json").read_text("utf-8")) for run in (after, tmp_path / "flagged"))
    assert new["rechunk"] == old["rechunk"]
    assert 'class="drawing"' in (tmp_path / "flagged" / "report.html").read_text("utf-8")


def test_redacted_the_new_report_holds_no_text(runs: tuple[Path, Path], tmp_path: Path) -> None:
    before, _ = runs
    assert main(["rechunk", str(before), "--out", str(tmp_path / "again"), "--redact", "--quiet"]) == 0
    page = (tmp_path / "again" / "report.html").read_text("utf-8")
    texts = pd.read_parquet(tmp_path / "again" / "chunks.parquet")["text"]
    assert not [text for text in texts if len(text) > 40 and text.strip()[:40] in page]


Made = list[tuple[str, "str | None", str]]
"""Rows of a table: chunk_id, doc_id and text; of what is new the id names its parents after a slash, apart by dots."""


def judged(rows: Made, folder: Path, *, offsets: bool = False) -> Flags:
    """Flags of such a table; flagged is what has an exclamation mark, unmeasured what is one word."""
    folder.mkdir(exist_ok=True)
    frame = pd.DataFrame(rows, columns=["name", "doc_id", "text"])
    parts = frame["name"].str.partition("/")
    lengths = frame["text"].str.len()
    ends = lengths.groupby(frame["doc_id"].fillna("")).cumsum()
    frame = pd.DataFrame(
        {
            "chunk_id": parts[0],
            "doc_id": frame["doc_id"].astype(object).where(frame["doc_id"].notna(), None),
            "position": frame.groupby(frame["doc_id"].fillna("")).cumcount(),
            "text": frame["text"],
            "start": (ends - lengths if offsets else pd.Series([None] * len(frame))).astype("Int64"),
            "end": (ends if offsets else pd.Series([None] * len(frame))).astype("Int64"),
            "spans": None,
            "derived": frame["text"].str.contains("\n"),
            "parent_ids": [names.split(".") if names else None for names in parts[2]],
        }
    )
    frame.to_parquet(folder / "chunks.parquet")
    flagged = frame["text"].str.contains("!", regex=False)
    centred = np.where(frame["text"].str.contains(" "), 0.5, np.nan)
    scores = frame[["chunk_id", "doc_id", "position"]].assign(flagged=flagged, similarity_centred=centred)
    chunks = ChunkFile(folder / "chunks.parquet", SourceInfo("-", "made", "", len(frame)))
    return Flags(scores, (), Scores(scores, State({}, {}, {}), chunks, {}, {}), {})


def lanes_of(before: Made, after: Made, folder: Path, *, offsets: bool = False) -> Changed:
    found = lanes(judged(before, folder / "a", offsets=offsets), judged(after, folder / "b", offsets=offsets))
    json.dumps(asdict(found))
    return found


def places(boxes: tuple[Box, ...]) -> list[tuple[int, int]]:
    return [(box.start, box.end) for box in boxes]


def fates(one: Lanes) -> list[tuple[str, int | None, int | None]]:
    return [(border.fate, border.before, border.after) for border in one.borders]


DOCUMENT: Made = [
    ("a", "d", "aaaa aaaa."),
    ("b", "d", "bb b! bbb."),
    ("c", "d", "cc."),
    ("e", "d", "ee."),
    ("f", "d", "f f."),
]


@pytest.mark.parametrize("offsets", [True, False])
def test_every_change_is_told_apart(tmp_path: Path, offsets: bool) -> None:
    after: Made = [
        ("a", "d", "aaaa aaaa."),
        ("b1/b", "d", "bb b!"),
        ("b2/b", "d", " bbb."),
        ("ce/c.e", "d", "cc.ee."),
        ("f", "d", "f f."),
    ]
    (one,) = lanes_of(DOCUMENT, after, tmp_path, offsets=offsets).drawn
    assert one.known is offsets and (one.start, one.end) == (0, 30)
    assert places(one.before) == [(0, 10), (10, 20), (20, 23), (23, 26), (26, 30)]
    assert places(one.after) == [(0, 10), (10, 15), (15, 20), (20, 26), (26, 30)]
    assert [box.standing for box in one.after] == ["fine", "flagged", "fine", "unmeasured", "fine"]
    assert fates(one) == [("kept", 10, 10), ("new", None, 15), ("kept", 20, 20), ("gone", 23, None), ("kept", 26, 26)]
    assert [(step.kind, step.before, step.after) for step in one.steps] == [
        ("split", ((2, "b"),), ((2, "b1"), (3, "b2"))),
        ("merge", ((3, "c"), (4, "e")), ((4, "ce"),)),
    ]


def test_a_moved_border_and_our_own_line_break(tmp_path: Path) -> None:
    after: Made = [("ab/a.b", "d", "aaaa aaaa.\nbb b!"), ("b2/b", "d", " bbb."), *DOCUMENT[2:]]
    (one,) = lanes_of(DOCUMENT, after, tmp_path).drawn
    assert places(one.after)[:2] == [(0, 15), (15, 20)]
    assert fates(one)[0] == ("moved", 10, 15)
    assert [step.kind for step in one.steps] == ["move"]


def test_a_dropped_chunk_leaves_its_place_empty(tmp_path: Path) -> None:
    (one,) = lanes_of(DOCUMENT, [*DOCUMENT[:1], *DOCUMENT[2:]], tmp_path).drawn
    assert places(one.after) == [(0, 10), (20, 23), (23, 26), (26, 30)]
    assert [(step.kind, step.after) for step in one.steps] == [("drop", ())]
    other: Made = [("o", "other", "o o.")]
    (one,) = lanes_of([*DOCUMENT, *other], other, tmp_path).drawn
    assert one.after == () and len(one.steps) == 5


def test_a_chunk_of_an_earlier_round_stays_as_it_is(tmp_path: Path) -> None:
    before: Made = [("a/x", "d", "aaaa aaaa."), ("b/x", "d", "bb b! bbb.")]
    after: Made = [("a/x", "d", "aaaa aaaa."), ("b1/b", "d", "bb b!"), ("b2/b", "d", " bbb.")]
    (one,) = lanes_of(before, after, tmp_path).drawn
    assert [box.changed for box in one.after] == [False, True, True]


def long(count: int, cut: set[int], doc: str | None) -> tuple[Made, Made]:
    """A document of so many chunks, some of which are cut in two."""
    before: Made = [(f"{doc}{at}", doc, f"{at:04d}! {at:04d}.") for at in range(count)]
    after: Made = []
    for at, row in enumerate(before):
        name, _, text = row
        after += [(f"{name}x/{name}", doc, text[:5]), (f"{name}y/{name}", doc, text[5:])] if at in cut else [row]
    return before, after


@pytest.mark.parametrize("offsets", [True, False])
def test_a_long_document_is_drawn_where_most_changed(tmp_path: Path, offsets: bool) -> None:
    before, after = long(3_000, {7, *range(1_500, 1_512), 2_990}, "d")
    (one,) = lanes_of(before, after, tmp_path, offsets=offsets).drawn
    assert len(one.before) == LONGEST and len(one.after) == LONGEST + 12
    assert one.chunks == (3_000, 3_014) and one.first == (1_499, 1_500) and one.left_out == 2
    assert (one.start, one.end) == (1_498 * 11, 1_528 * 11)
    assert [step.before[0] for step in one.steps] == [(at + 1, f"d{at}") for at in range(1_500, 1_512)]


def test_one_chunk_cut_into_very_many_stays_bounded(tmp_path: Path) -> None:
    text = "word " * 500
    after: Made = [(f"p{at}/a", "d", "word ") for at in range(500)]
    (one,) = lanes_of([("a", "d", text)], after, tmp_path, offsets=True).drawn
    assert len(one.after) == 2 * LONGEST and (one.start, one.end) == (0, 300)
    assert places(one.before) == [(0, 300)] and len(one.steps[0].after) == 2 * LONGEST


def test_documents_are_bounded_and_the_most_changed_come_first(tmp_path: Path) -> None:
    tables = [long(10, set(range(number % 7 + 1)), f"d{number:02d}") for number in range(50)]
    found = lanes_of([row for old, _ in tables for row in old], [row for _, new in tables for row in new], tmp_path)
    assert found.documents == 50 and len(found.drawn) == DRAWN
    counts = [len(one.steps) for one in found.drawn]
    assert counts == sorted(counts, reverse=True) and counts[0] == 7
    assert len(json.dumps(asdict(found))) < 200_000


def test_chunks_without_a_document_are_drawn_with_their_neighbours(tmp_path: Path) -> None:
    before, after = long(100, {3, 50, 51}, None)
    found = lanes_of(before, after, tmp_path, offsets=True)
    assert [(one.doc_id, one.known, len(one.steps)) for one in found.drawn] == [(None, False, 2), (None, False, 1)]
    assert [len(one.before) for one in found.drawn] == [20, 20]
    assert found.drawn[0].first == (41, 42)


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 0, 3, 5]), st.sampled_from(["keep", "drop", "split"])), min_size=1, max_size=6
    ),
    st.booleans(),
)
def test_a_box_is_found_by_its_chunks_number_or_not_at_all(chunks: list[tuple[int, str]], known: bool) -> None:
    """Chunks without width at a document's end have no box, and no neighbour's is taken for theirs."""
    old, new, at = [], [], 0
    for number, (width, change) in enumerate(chunks):
        row = Row(f"o{number}", width, ((at, at + width),) if known else (), (), "fine")
        old.append(row)
        if change == "keep":
            new.append(row)
        elif change == "split":
            for part, (a, b) in enumerate(((0, width // 2), (width // 2, width))):
                span = ((at + a, at + b),) if known else ()
                new.append(Row(f"n{number}.{part}", b - a, span, (row.name,), "fine"))
        at += width
    parts = segments(old, new)
    stretch = _stretch(parts)
    if not stretch:
        return
    one = _lanes(stretch, "문서", old, new, parts)
    sides, _ = laid(old, new, [(part.old, part.new) for part in parts])
    for side, boxes in enumerate((one.before, one.after)):
        for step in one.steps:
            for number, _ in (step.before, step.after)[side]:
                place = number - one.first[side]
                assert place >= 0
                if place < len(boxes):
                    assert boxes[place].start == sides[side][number - 1][0] and boxes[place].changed
                else:
                    assert sides[side][number - 1] == (one.end, one.end)


def test_nothing_changed_draws_nothing(tmp_path: Path) -> None:
    assert lanes_of(DOCUMENT, DOCUMENT, tmp_path) == Changed(0, ())
