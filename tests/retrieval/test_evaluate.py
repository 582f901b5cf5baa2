from __future__ import annotations

import doctest
import unicodedata

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from chunkeval.cache import Cache
from chunkeval.chunkers import anchoring, spec
from chunkeval.errors import ConfigError, InputError, TableError
from chunkeval.retrieval import evaluate as module
from chunkeval.retrieval import line, reading
from chunkeval.retrieval.evaluate import METRICS, RETRIEVERS, evaluate, without_chunks
from chunkeval.retrieval.line import Line, placed
from chunkeval.retrieval.questions import Question, Reference
from chunkeval.retrieval.reading import Limit, beginning, read
from chunkeval.statistics.verdict import compare_paired

ANIMALS = ["판다", "곰", "여우", "수달", "고래", "펭귄", "사슴", "토끼"]
FACTS = [
    "{}는 산에서 산다.",
    "{}는 저녁마다 맑은 물을 마신다.",
    "{}의 새끼는 봄에 태어난다👨‍👩‍👧.",
    "{}는 겨울이면 깊은 잠을 잔다.",
    "사람들은 {}를 보려고 먼 길을 온다.",
    "{}의 털은 ＡＢ１２처럼 빽빽하다.",
]


def document(animal: str) -> str:
    return " ".join(fact.format(animal) for fact in FACTS)


class Counting:
    """Bags of characters as vectors; remembers what it was asked."""

    name = fingerprint = "counting"
    dimension = 64
    context = None
    parallel = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts, batch):
        self.asked += texts
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for character in text:
                vectors[row, ord(character) % self.dimension] += 1
        return vectors

    def count(self, texts):
        return np.array([len(text.split()) for text in texts], np.int64)


@pytest.fixture(scope="module")
def how(tmp_path_factory) -> dict[str, object]:
    return {"embedder": Counting(), "cache": Cache(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def documents() -> dict[str, str]:
    """The last one is in decomposed Hangul, and without spaces."""
    made = {f"{animal}.md": document(animal) for animal in ANIMALS}
    return made | {"토끼.md": unicodedata.normalize("NFD", made["토끼.md"].replace(" ", ""))}


@pytest.fixture(scope="module")
def questions(documents) -> list[Question]:
    made = []
    for animal in ANIMALS:
        for number, asked in ((1, f"{animal}는 저녁마다 무엇을 마시나?"), (3, f"{animal}는 겨울이면 무엇을 하나?")):
            fact = FACTS[number].format(animal)
            if animal == "토끼":
                fact = unicodedata.normalize("NFD", fact.replace(" ", ""))
            start = documents[f"{animal}.md"].index(fact)
            made.append(Question(f"{animal}-{number}", asked, (Reference(f"{animal}.md", start, start + len(fact)),)))
    return made


def cut(chunker: str, documents: dict[str, str], *, offsets: bool = True) -> pd.DataFrame:
    made = spec.make(chunker)
    rows = [(name, c.text(text), *c.spans[0]) for name, text in documents.items() for c in made.split(text)]
    frame = pd.DataFrame(rows, columns=["doc_id", "text", "start", "end"])
    return frame if offsets else frame[["doc_id", "text"]]


@pytest.fixture(scope="module")
def tables(documents) -> dict[str, pd.DataFrame]:
    return {
        "large": cut("fixed_char_length:char_limit=60", documents),
        "small": cut("fixed_char_length:char_limit=17,overlap_rate=0.2", documents),
        "sentences": cut("recursive:size=24,separators=['. ']", documents),
    }


@pytest.mark.parametrize("tested", [module, line, reading, anchoring])
def test_the_examples_hold(tested):
    assert doctest.testmod(tested).failed == 0


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_every_retriever_answers_every_question_of_every_strategy(how, documents, questions, tables, retriever):
    frame = evaluate(tables, documents, questions, retriever=retriever, budget=25, **how)
    assert frame["strategy"].drop_duplicates().tolist() == list(tables)
    assert len(frame) == len(tables) * len(questions)
    assert frame[list(METRICS)].notna().all(axis=None)
    assert frame[list(METRICS)].stack().between(0, 1).all()
    assert (frame["tokens_read"] <= 25).all()
    means = frame.groupby("strategy")["recall"].mean()
    assert means["sentences"] > 0.6
    if retriever == "hybrid":
        assert_frame_equal(frame, evaluate(tables, documents, questions, retriever=retriever, budget=25, **how, jobs=2))


def test_a_sentence_is_embedded_once_whatever_the_strategies(tmp_path, documents, questions, tables):
    embedder = Counting()
    frame = evaluate(tables, documents, questions, k=2, embedder=embedder, cache=Cache(tmp_path))
    assert len(embedder.asked) == len(set(embedder.asked))
    whole = {fact.format(animal) for fact in FACTS for animal in ANIMALS[:-1]}
    assert whole <= set(embedder.asked)
    before = len(embedder.asked)
    alone = evaluate(
        {"sentences": tables["sentences"]}, documents, questions, k=2, embedder=embedder, cache=Cache(tmp_path)
    )
    assert len(embedder.asked) == before
    assert_frame_equal(alone, frame[frame["strategy"] == "sentences"].reset_index(drop=True))


def test_chunks_without_offsets_are_found_in_their_document(how, documents, questions, tables):
    bare = {name: table[["doc_id", "text"]] for name, table in tables.items()}
    wrong = {name: table.assign(start=table["start"] + 3) for name, table in tables.items()}
    as_spans = {
        name: table.assign(
            start=None, end=None, spans=[[[a, b]] for a, b in zip(table["start"], table["end"], strict=True)]
        )
        for name, table in tables.items()
    }
    expected = evaluate(tables, documents, questions, k=3, **how)
    for other in (bare, wrong, as_spans):
        assert_frame_equal(evaluate(other, documents, questions, k=3, **how), expected)


def test_a_chunk_of_several_places_is_read_in_all_of_them(documents):
    text = documents["곰.md"]
    table = pd.DataFrame({"doc_id": ["곰"], "text": [text[:5] + text[20:30]], "spans": [[[0, 5], [20, 30]]]})
    laid = placed("x", table, Line({"곰.md": text}), "strict")
    assert laid.spans == [((0, 5), (20, 30))]
    assert laid.near([(25, 40)]) == [0] and laid.near([(8, 12)]) == []
    assert beginning(laid.spans[0], 0.5) == ((0, 5), (20, 22))


def test_chunks_of_unknown_documents_are_read_and_count_below(how, documents, questions):
    known = cut("recursive:size=24,separators=['. ']", documents)
    strange = pd.DataFrame({"doc_id": [None] * len(known), "text": known["text"]})
    frame = evaluate(
        {"known": known, "both": pd.concat([strange, known], ignore_index=True)},
        documents,
        questions,
        k=2,
        **how,
    )
    means = frame.groupby("strategy")[["recall", "precision"]].mean()
    assert means.loc["both", "precision"] < means.loc["known", "precision"]
    first = frame[frame["strategy"] == "both"].iloc[0]
    assert first["chunks_read"] == 2


def test_the_budget_ends_within_a_chunk_and_k_counts_chunks(documents):
    spans = [((0, 10),), ((20, 40),), ((50, 60),)]
    tokens = np.array([5, 10, 0])
    assert read([1, 0, 2], spans, tokens, Limit(None, 12)).chunks == (((20, 40),), ((0, 4),))
    assert read([1, 0, 2], spans, tokens, Limit(None, 15)).chunks == (((20, 40),), ((0, 10),))
    assert read([2, 1, 0], spans, tokens, Limit(None, 10)).chunks == (((50, 60),), ((20, 40),))
    assert read([0, 1], spans, tokens, Limit(1, 1000)) == read([0], spans, tokens, Limit(None, 5))
    assert Limit(None, 5).chunks(tokens) == 2 and Limit(9, 5).chunks(tokens) == 3


def test_k_beyond_the_corpus_reads_all_of_it(how, documents, questions, tables):
    frame = evaluate(tables, documents, questions, k=10_000, **how)
    assert (frame["recall"] == 1).all()
    sizes = {name: len(table) for name, table in tables.items()}
    assert (frame["chunks_read"] == frame["strategy"].map(sizes)).all()


def test_one_strategy_is_evaluated_and_wins_nothing(how, documents, questions, tables):
    frame = evaluate({"small": tables["small"]}, documents, questions, k=1, **how)
    verdict = compare_paired(frame, "recall", resamples=200)
    assert (verdict.outcome, verdict.winner, verdict.pairs) == ("one_strategy", None, ())


def test_the_same_table_twice_shows_no_difference(how, documents, questions, tables):
    twice = {"a": tables["small"], "b": tables["small"].copy()}
    frame = evaluate(twice, documents, questions, k=2, **how)
    for metric in METRICS:
        verdict = compare_paired(frame, metric, resamples=200)
        assert (verdict.outcome, verdict.winner) == ("no_difference", None)
        assert [standing.probability_best for standing in verdict.standings] == [0.5, 0.5]


def test_flags_are_carried_to_the_questions_that_lie_in_them(how, documents, questions, tables):
    table = tables["sentences"]
    flagged = table["text"].str.contains("저녁마다") | table["text"].str.contains("산에서")
    frame = evaluate(
        {"told": table.assign(flagged=flagged), "silent": table},
        documents,
        questions,
        k=1,
        **how,
    )
    told = frame[frame["strategy"] == "told"]
    spaced = [question.question_id for question in questions if not question.question_id.startswith("토끼")]
    in_flagged = told.set_index("question_id")["in_flagged"]
    assert in_flagged[spaced].tolist() == [name.endswith("-1") for name in spaced]
    assert frame[frame["strategy"] == "silent"]["in_flagged"].isna().all()
    assert told["chunk_size"].between(10, 24).all()


def test_documents_without_chunks_are_named_and_nothing_is_found_in_them(how, documents, questions, tables):
    part = tables["large"][~tables["large"]["doc_id"].isin(["곰.md", "고래.md"])]
    assert without_chunks({"part": part, "all": tables["large"]}, questions) == {"part": ("곰.md", "고래.md")}
    frame = evaluate({"part": part}, documents, questions, k=1000, **how)
    lost = frame["doc_id"].isin(["곰.md", "고래.md"])
    assert (frame.loc[lost, "recall"] == 0).all() and (frame.loc[~lost, "recall"] == 1).all()
    assert frame.loc[lost, "chunk_size"].isna().all()


def test_tables_that_do_not_fit_are_refused(how, documents, questions, tables):
    def ask(table, asked=questions, **more):
        return evaluate({"s": table}, documents, asked, **{**how, **more})

    small = tables["small"]
    with pytest.raises(TableError, match=r"none of its documents \('x0', 'x1', 'x2'\) is known \(known: '판다.md'"):
        ask(small.assign(doc_id=[f"x{i}" for i in range(len(small))]))
    with pytest.raises(TableError, match="strategy 's' has no chunks"):
        ask(small[:0])
    with pytest.raises(TableError, match="has no column 'doc_id'"):
        ask(small[["text"]])
    with pytest.raises(InputError, match="refers to document '호랑이', which is not among those given"):
        ask(small, [Question("q", "?", (Reference("호랑이", 0, 1),))])
    with pytest.raises(InputError, match="no question to evaluate"):
        ask(small, [])
    with pytest.raises(InputError, match="no strategy to evaluate"):
        evaluate({}, documents, questions)
    with pytest.raises(ConfigError, match="unknown retriever 'semantics': did you mean 'semantic'"):
        ask(small, retriever="semantics")
    with pytest.raises(ConfigError, match="unknown mode 'loose'"):
        ask(small, mode="loose")
    for reach in ({"k": 0}, {"budget": 0}):
        with pytest.raises(ConfigError, match="read at least 1 chunk or 1 token"):
            ask(small, **reach)


def test_an_embedder_that_learns_learns_from_the_whole_sentences(tmp_path, documents, questions, tables):
    learned = {"embedder": "lsa", "cache": Cache(tmp_path)}
    both = evaluate(tables, documents, questions, k=2, **learned)
    alone = evaluate({"large": tables["large"]}, documents, questions, k=2, **learned)
    assert_frame_equal(alone, both[both["strategy"] == "large"].reset_index(drop=True))
    assert both["recall"].mean() > 0.5


def test_chroma_mode_places_chunks_where_their_text_occurs_first():
    documents = {"d": "같다. 다르다. 같다."}
    table = pd.DataFrame(
        {"doc_id": ["d", "d", "d"], "text": ["같다.", "다르다.", "같다."], "start": [0, 4, 9], "end": [3, 8, 12]}
    )
    assert placed("s", table, Line(documents), "strict").spans == [((0, 3),), ((4, 8),), ((9, 12),)]
    assert placed("s", table, Line(documents), "chroma").spans == [((0, 2),), ((4, 7),), ((0, 2),)]


def test_given_token_counts_are_used_where_every_table_has_them(how, documents, questions, tables):
    table = tables["large"].assign(token_count=1)
    how = {**how, "budget": 3}
    frame = evaluate({"a": table, "b": table}, documents, questions, **how)
    assert (frame["chunks_read"] == 3).all() and (frame["tokens_read"] == 3).all()
    frame = evaluate({"a": table, "b": tables["large"]}, documents, questions, **how)
    assert frame["chunks_read"].eq(1).all()
