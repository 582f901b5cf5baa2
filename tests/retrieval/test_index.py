import json
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import chunkeval as ce
from chunkeval.errors import RunError, TableError
from chunkeval.features import FeatureStore
from chunkeval.retrieval.index import Sentences, Texts, damaged
from chunkeval.text import embeddings
from chunkeval.text.use import UseEmbedder


def test_a_folder_opens_twice_and_at_once(folder):
    start = time.perf_counter()
    first, second = ce.index(folder), ce.index(folder)
    assert time.perf_counter() - start < 2
    assert first.keyword_search(["김치"]) == second.keyword_search(["김치"])
    assert first.semantic_search("김치", 3) == second.semantic_search("김치", 3)
    assert isinstance(first.index.sentences.vectors, np.memmap)


def test_texts_come_back_exactly(folder, table):
    texts = Texts(folder / "texts")
    assert list(texts.texts) == table["text"].tolist() and list(texts.ids) == table["chunk_id"].tolist()
    assert [texts.texts[i] for i in range(len(texts))] == list(texts.texts)
    sentences = Sentences(folder / "sentences")
    lengths = np.linalg.norm(sentences.vectors, axis=1)
    assert np.allclose(lengths, 1, atol=1e-5) and len(lengths) == sentences.offsets[-1]


def test_nothing_in_it_is_pickled(folder):
    kinds = {path.suffix for path in folder.rglob("*") if path.is_file()}
    assert kinds == {".npy", ".json", ".parquet"}
    for path in folder.rglob("*.npy"):
        assert np.load(path, mmap_mode="r", allow_pickle=False).dtype != object


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("texts/text.npy", lambda path: path.write_bytes(path.read_bytes()[:-1]), "another size"),
        ("sentences/vectors.npy", lambda path: path.write_bytes(b""), "another size"),
        ("texts/about.json", lambda path: path.write_text("{"), "is damaged"),
        ("texts/about.json", lambda path: path.write_text('{"format": 99}'), "of format 99, this version reads 1"),
        ("sentences/end.npy", Path.unlink, "is damaged"),
        ("sentences/about.json", Path.unlink, "has no sentences"),
    ],
)
def test_a_damaged_index_is_one_clear_error(folder, tmp_path, name, damage, says):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    damage(copy / name)
    with pytest.raises(RunError, match=says):
        ce.index(copy).semantic_search("김치")


def test_changed_contents_are_found_where_they_are_looked_for(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert damaged(copy / "texts") == []
    path = copy / "texts" / "text.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"X")
    assert damaged(copy / "texts") == ["text.npy"]


def test_vectors_of_another_embedder_are_refused(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    about = json.loads((copy / "sentences" / "about.json").read_text("utf-8"))
    (copy / "sentences" / "about.json").write_text(json.dumps({**about, "fingerprint": "older"}))
    with pytest.raises(RunError, match="made with embedder 'older', now it is 'use-multilingual"):
        ce.index(copy).semantic_search("김치")


def test_vectors_are_made_once_and_kept(table, cache, tmp_path, monkeypatch):
    path = tmp_path / "chunks.jsonl"
    path.write_text(table.to_json(orient="records", lines=True, force_ascii=False), "utf-8")
    first = ce.index(path, cache=cache)
    assert not first.index.has_sentences
    assert first.keyword_search(["상대성이론", "1905"])[0]["score"] == 14
    assert not first.index.has_sentences, "keywords need no vectors"
    before = first.semantic_search("김치", 3)
    monkeypatch.setattr(embeddings.VectorStore, "fill", lambda *_, **__: pytest.fail("embedded once more"))
    again = ce.index(path, cache=cache)
    assert again.index.has_sentences and again.semantic_search("김치", 3) == before
    (tmp_path / "other.jsonl").write_bytes(path.read_bytes().replace(b"1905", b"1906"))
    assert ce.index(tmp_path / "other.jsonl", cache=cache).keyword_search(["1906"])


def test_what_an_audit_has_read_and_embedded_is_not_done_again(table, tmp_path, monkeypatch):
    ce.score(table, analyzers="similarity,topics", topics=2, jobs=1, cache=tmp_path)
    monkeypatch.setattr(FeatureStore, "_analyse", lambda *_: pytest.fail("read once more"))
    monkeypatch.setattr(UseEmbedder, "encode", lambda *_: pytest.fail("embedded once more"))
    tools = ce.index(table, cache=tmp_path, jobs=1)
    assert tools.index.sentences.offsets[-1] == len(tools.index.sentences.vectors) > 10


def test_two_that_write_the_same_index_do_not_meet(table, cache, tmp_path):
    path = tmp_path / "chunks.csv"
    table.to_csv(path, index=False)
    opened = [ce.index(path, cache=cache) for _ in range(2)]
    for tools in opened:
        tools.index._make()  # as when another process has made them meanwhile
    assert opened[0].semantic_search("김치", 3) == opened[1].semantic_search("김치", 3)
    assert not list(opened[0].index.folder.glob(".*"))


def test_an_embedder_that_learns_is_kept_with_what_it_learned(table, cache, tmp_path):
    made = ce.index(table, embedder="lsa", out=tmp_path / "lsa", cache=cache)
    found = made.semantic_search("김치는 배추를 절여 담근다", 3)
    assert ce.index(tmp_path / "lsa").semantic_search("김치는 배추를 절여 담근다", 3) == found
    assert found[0]["chunk_id"] == "7"


def test_documents_are_cut_where_sentences_end(cache, tmp_path):
    (tmp_path / "docs").mkdir()
    text = "".join(f"제{i}조는 김치의 보관에 관한 것이다. 온도는 {i}.5도로 한다. " for i in range(150))
    (tmp_path / "docs" / "규정.md").write_text(text, "utf-8")
    (tmp_path / "docs" / "b.txt").write_text("Kimchi is kept cold. Nothing else matters.", "utf-8")
    tools = ce.index(tmp_path / "docs", cache=cache)
    held = tools.index.texts
    texts = [piece for piece, name in zip(held.texts, held.documents, strict=True) if name.endswith("규정.md")]
    assert len(texts) > 2 and "".join(texts) == text and len(held) == len(texts) + 1
    assert all(piece.rstrip().endswith(".") and not piece.rstrip().endswith("0.") for piece in texts)
    counts = embeddings.load("use-multilingual").count(texts)
    assert counts.max() <= 1000 and counts[:-1].min() > 900
    small = ce.index(tmp_path / "docs", cache=cache, chunker="sentence:size=100")
    assert len(small.index.texts) > 2 * len(texts)


def test_a_table_without_a_visible_text_is_searched_in_vain(cache):
    import pandas as pd

    tools = ce.index(pd.DataFrame({"id": ["a", "b"], "text": ["", " "]}), cache=cache)
    assert tools.keyword_search(["김치"]) == []
    assert tools.semantic_search("김치", 2) == [
        {"chunk_id": "a", "score": -1.0, "snippet": ""},
        {"chunk_id": "b", "score": -1.0, "snippet": ""},
    ]


def test_a_folder_in_use_is_not_written_over(table, cache, folder, tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(RunError, match="has files in it already"):
        ce.index(table, out=tmp_path, cache=cache)
    with pytest.raises(TableError):
        ce.index(table.drop(columns="text"), out=tmp_path / "new", cache=cache)
    assert not (tmp_path / "new" / "texts").exists() and list(tmp_path.glob("mine"))
