"""How chunks are read in a comparison: by the sentences of their documents, where their places are known."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from cut_tables import every, halves, table

from chunkeval.compare import documents, strategies
from chunkeval.compare.reading import readings
from chunkeval.config import LoadConfig, ScoreConfig
from chunkeval.progress import Silent
from chunkeval.text.context import Context

TEXT = {"글": "판다는 대나무를 먹는다. 은행은 금리를 올렸다. 가족👨‍👩‍👧이 ＡＢＣ로 왔다."}


def read(folder: Path, how: str = "auto", **frames: pd.DataFrame) -> dict[str, Context]:
    made = [strategies.read(name, frame, LoadConfig(), folder, Silent()) for name, frame in frames.items()]
    tables = {one.name: (one, *documents.rows_of(one)) for one in made}
    corpus = documents.pieced({name: rows for name, (_, _, rows) in tables.items()}, folder)
    return readings(tables, corpus, ScoreConfig(sentences=how), 1)


def sentences(found: Context, frame: pd.DataFrame) -> list[list[str] | None]:
    assert found.sentences is not None
    return [
        None if spans is None else [text[a:b] for a, b in spans]
        for text, spans in zip(frame["text"], found.sentences, strict=True)
    ]


def test_a_passage_has_the_same_sentences_however_it_is_cut(tmp_path: Path) -> None:
    whole, cut = table(lambda text: [], TEXT), table(every(18), TEXT)
    found = read(tmp_path, whole=whole, cut=cut)
    first, second, third = "판다는 대나무를 먹는다.", "은행은 금리를 올렸다.", "가족👨‍👩‍👧이 ＡＢＣ로 왔다."
    assert sentences(found["whole"], whole) == [[first, second, third]]
    assert sentences(found["cut"], cut)[0] == [first, "은행은"]
    turned = cut.iloc[::-1].reset_index(drop=True).assign(position=range(len(cut))[::-1])
    assert sentences(read(tmp_path, turned=turned)["turned"], turned) == sentences(found["cut"], cut)[::-1]


def test_chunks_without_a_place_and_texts_as_they_stand_are_read_alone(tmp_path: Path) -> None:
    frame = table(halves)
    lost = frame[["doc_id", "text"]]
    found = read(tmp_path, known=frame, lost=lost)
    assert sentences(found["lost"], lost) == [None] * len(lost)
    assert None not in sentences(found["known"], frame)
    plain = read(tmp_path, "naive", known=frame)["known"]
    assert plain.sentences is None and not plain.skip.any()
