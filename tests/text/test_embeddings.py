"""Embedders, and the store that keeps every sentence's vector."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chunkeval.cache import Cache
from chunkeval.errors import ConfigError
from chunkeval.progress import Silent
from chunkeval.text import embeddings
from chunkeval.text.embeddings import SentenceTransformerEmbedder, VectorStore, keys_of, opened
from chunkeval.text.lsa import LsaEmbedder
from chunkeval.text.use import UseEmbedder, as_sentence_transformer

SENTENCES = [
    "서울은 대한민국의 수도이다.",
    "대한민국의 수도는 서울이다.",
    "김치는 배추를 절여 만든 발효 음식이다.",
    "Seoul is the capital of Korea.",
    "가족 👨‍👩‍👧‍👦 이모지와 ＡＢＣ 전각",
    "가나다라마바사" * 60,
    "\x00",
]


class Counting:
    """An embedder that counts what it is asked."""

    name = fingerprint = "counting"
    dimension = 3
    context = None
    parallel = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: list[str], batch: int) -> np.ndarray:
        self.asked += [t for t in texts if t != embeddings.WARM_UP]
        return np.array([[len(t), sum(map(ord, t)), 1] for t in texts], np.float32)

    def count(self, texts: list[str]) -> np.ndarray:
        return np.array([len(t) for t in texts])


def fill(store: VectorStore, sentences: list[str], embedder: Counting, jobs: int = 2) -> None:
    keys = keys_of(sentences).tolist()
    missing = store.missing(keys_of(sentences))
    wanted = {k: s for k, s, m in zip(keys, sentences, missing, strict=True) if m}
    with Silent().step("", 0) as step:
        store.fill(wanted, embedder, jobs=jobs, batch=4, step=step)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_sentence_is_encoded_once_ever(tmp_path: Path, jobs: int) -> None:
    embedder, many = Counting(), [f"문장 {i % 70}" for i in range(200)]
    fill(VectorStore(tmp_path), many, embedder, jobs)
    again = VectorStore(tmp_path)
    fill(again, [*many, "새 문장"], embedder, jobs)
    assert sorted(embedder.asked) == sorted({*many, "새 문장"})
    np.testing.assert_array_equal(again.gather(keys_of(many), 3), Counting().encode(many, 1))


def test_few_sentences_are_one_part_whoever_asks(tmp_path: Path) -> None:
    """Cutting a run again asks for a few at a time, again and again: a part each would take longer to open than to make."""
    store = VectorStore(tmp_path)
    for ask in range(5):
        fill(store, [f"{ask}번째 물음의 {i}번째 문장" for i in range(60)], Counting(), jobs=4)
    assert len(list(tmp_path.glob("*.keys.npy"))) == 5


class Contextual(Counting):
    """An embedder whose vectors hang on what is encoded together, as the last bits of every real one do."""

    def encode(self, texts: list[str], batch: int) -> np.ndarray:
        return super().encode(texts, batch) + np.float32(len(texts))


def test_what_is_encoded_together_does_not_hang_on_the_number_of_threads(tmp_path: Path) -> None:
    many = [f"문장 {i} " + "가" * (i % 50) for i in range(3000)]
    found = []
    for jobs in (1, 2, 7):
        store = VectorStore(tmp_path / str(jobs))
        fill(store, many, Contextual(), jobs)
        found.append(store.gather(keys_of(many), 3))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_caches_index_is_read_once_and_not_before_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder, cache = Counting(), Cache(tmp_path)
    fill(opened(cache, embedder), ["하나", "둘"], embedder)
    read: list[str] = []
    whole = VectorStore._whole
    monkeypatch.setattr(VectorStore, "_whole", lambda self, name: (read.append(name), whole(self, name))[1])
    again = Cache(tmp_path)
    for _ in range(3):
        store = opened(again, embedder)
        assert read == []
    for _ in range(3):
        assert not opened(again, embedder).missing(keys_of(["하나", "둘"])).any()
    np.testing.assert_array_equal(store.gather(keys_of(["둘"]), 3), embedder.encode(["둘"], 1))
    assert len(read) == 1


def test_a_part_that_was_not_finished_is_not_taken(tmp_path: Path) -> None:
    embedder = Counting()
    fill(VectorStore(tmp_path), ["하나", "둘"], embedder)
    for path in tmp_path.glob("*.keys.npy"):
        path.unlink()
    fill(VectorStore(tmp_path), ["하나", "둘"], embedder)
    assert sorted(embedder.asked) == ["둘", "둘", "하나", "하나"]


@pytest.mark.parametrize("kind", ["keys", "vectors"])
@pytest.mark.parametrize("left", [0, 40, 130])
def test_a_damaged_part_is_embedded_again(tmp_path: Path, kind: str, left: int) -> None:
    embedder = Counting()
    fill(VectorStore(tmp_path), ["하나", "둘"], embedder)
    for path in tmp_path.glob(f"*.{kind}.npy"):
        path.write_bytes(path.read_bytes()[:left])
    store = VectorStore(tmp_path)
    fill(store, ["하나", "둘"], embedder)
    assert sorted(embedder.asked) == ["둘", "둘", "하나", "하나"]
    np.testing.assert_array_equal(store.gather(keys_of(["하나", "둘"]), 3), Counting().encode(["하나", "둘"], 1))


def test_the_default_embedder_as_a_sentence_transformer_gives_the_same_vectors() -> None:
    model = as_sentence_transformer()
    assert model.get_embedding_dimension() == 512
    np.testing.assert_allclose(model.encode(SENTENCES), UseEmbedder().encode(SENTENCES, 8), atol=1e-6)


def test_the_default_embedder_knows_korean_and_english() -> None:
    e = UseEmbedder().encode(SENTENCES[:4], 8)
    like = e @ e.T
    assert like[0, 1] > 0.8 > 0.3 > like[0, 2]
    assert like[0, 3] > 0.7


def test_a_folder_is_loaded_as_sentence_transformers_would(minilm_folder: str) -> None:
    from sentence_transformers import SentenceTransformer

    ours = embeddings.load(minilm_folder)
    plain = SentenceTransformer(minilm_folder, device="cpu")
    np.testing.assert_allclose(ours.encode(SENTENCES, 3), plain.encode(SENTENCES), atol=1e-6)
    assert isinstance(ours, SentenceTransformerEmbedder)
    assert (ours.dimension, ours.context) == (384, 254)
    assert ours.fingerprint == embeddings.load(minilm_folder).fingerprint


def test_an_unknown_embedder_gives_the_nearest_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigError, match="did you mean 'use-multilingual'"):
        embeddings.load("use-multilingal")


def test_a_folder_without_a_model_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no sentence-transformers folder"):
        embeddings.load(str(tmp_path))


def test_lsa_learns_what_goes_together() -> None:
    sea = [f"바다의 조석은 달의 인력이 {w} 만든다" for w in ["늘", "매일", "크게", "작게", "다시"]]
    food = [f"김치는 배추와 고추로 {w} 담근다" for w in ["늘", "매일", "크게", "작게", "다시"]]
    lsa = LsaEmbedder().fit(sea + food, seed=1)
    e = lsa.encode(sea + food, 8)
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    like = e @ e.T
    assert like[:5, :5].min() > like[:5, 5:].max()
    np.testing.assert_array_equal(LsaEmbedder(lsa.arrays).encode(sea, 8), lsa.encode(sea, 3))
    assert LsaEmbedder(lsa.arrays).fingerprint == lsa.fingerprint


@pytest.mark.parametrize("texts", [[], [""], ["가"], ["...", "!!!"], ["같은 말", "같은 말"]])
def test_lsa_with_next_to_nothing_to_learn_from(texts: list[str]) -> None:
    vectors = LsaEmbedder().fit(texts, seed=1).encode(["아무 문장", ""], 8)
    assert vectors.shape[0] == 2
    assert np.isfinite(vectors).all()
