"""Score: a chunk table on disk to numbers, by three verbs: features of rows, fit on a sample, score row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers import bert_topics, lda
from chunkeval.analyzers.base import Analyzer, Fitted, Need, Sample
from chunkeval.cache import Cache, code, digest
from chunkeval.config import ScoreConfig
from chunkeval.features import FeatureStore, embed, tables, vectors_by_key
from chunkeval.results import Recombined, Scores, State
from chunkeval.sampling import documents_of, draw, language_of, sampled_rows, some_texts
from chunkeval.scoring import analyzer_of, core, identity, percentiles, same_identity, score_all, text_state, timed
from chunkeval.text import embeddings, tokens
from chunkeval.text.fit import misfit
from chunkeval.text.learned import learned
from chunkeval.text.morphemes import check_tagger
from chunkeval.text.sentences import check_splitter

if TYPE_CHECKING:
    from chunkeval.config import RunConfig
    from chunkeval.progress import Progress
    from chunkeval.results import ChunkFile, Ints
    from chunkeval.text.context import Context
    from chunkeval.text.embeddings import Embedder


def score_chunks(
    chunks: ChunkFile,
    config: ScoreConfig,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
    context: Context | None = None,
) -> Scores:
    """Score every chunk of a table.

    Parameters
    ----------
    chunks : ChunkFile
        As `loaders.write_chunks` gives it.
    config : ScoreConfig
        What can change a number.
    run : RunConfig
        How the work is done; changes no number.
    context : Context, optional
        What is known of the chunks; else it is found in the table.

    Returns
    -------
    Scores
        A row a chunk, in the table's order; the state that gave them.

    Raises
    ------
    ConfigError
        An analyzer, embedder, tokenizer, splitter or tagger is not known.
    """
    seconds: dict[str, float] = {}
    jobs = run.workers
    analyzers = [analyzer_of(name, config) for name in config.analyzers]
    needs: frozenset[Need] = frozenset().union(*(a.needs for a in analyzers))
    embedder = embeddings.load(config.embedder)
    counter = tokens.load_hugging_face(config.tokenizer) if config.tokenizer else embedder
    frame = core(chunks)
    documents = documents_of(frame["doc_id"].tolist())
    rows = sampled_rows(frame["chunk_id"].tolist(), config.topics_order)

    store = FeatureStore(chunks, config, needs, counter, cache, context=context)
    with timed(seconds, "features"):
        store.compute(jobs, progress)
    if "vectors" in needs and isinstance(embedder, embeddings.Fittable):
        with timed(seconds, "embedder fit"):
            embedder = learned(embedder, sentences_of(store, rows), config.seed, cache)
    vectors = embeddings.opened(cache, embedder)
    positions = frame["position"].to_numpy(np.int64)
    sample = draw(
        store,
        rows,
        documents,
        positions,
        config,
        lambda keys: vectors_by_key(keys, vectors, embedder.dimension),
        progress,
    )
    inputs = digest(
        [
            store.fingerprint(),
            embedder.fingerprint,
            repr(asdict(config)),
            *(bert_topics.versions() if config.topic_model == "bertopic" else ()),
            digest(documents),
            digest(frame["chunk_id"]),
            digest([positions.tobytes()]),
        ]
    )

    def fit(analyzer: Analyzer) -> Fitted:
        with timed(seconds, f"fit {analyzer.name}"):
            return _fit(analyzer, sample, cache, inputs)

    some = some_texts(chunks, rows)
    language = language_of(some)
    unfit = misfit(embedder, some, language) if "vectors" in needs else None

    with ThreadPoolExecutor(max(1, jobs - 1)) as pool, _let_go(pool):
        early: dict[str, Future[Fitted]] = {a.name: pool.submit(fit, a) for a in analyzers if "vectors" not in a.needs}
        if jobs == 1:
            for future in early.values():
                future.result()
        if "vectors" in needs:
            with timed(seconds, "vectors"):
                embed(store, vectors, embedder, jobs=jobs, batch=run.batch, progress=progress)
        fitted = {a.name: early[a.name].result() if a.name in early else fit(a) for a in analyzers}

    with timed(seconds, "score"):
        columns, told = score_all(
            store, analyzers, fitted, vectors, embedder, progress, _kin(documents, sample.families), frame
        )
    scored = frame.assign(**columns)
    state = State(
        meta={
            "analyzers": list(config.analyzers),
            "embedder": embedder.name,
            "tokenizer": config.tokenizer or embedder.name,
            **identity(embedder, counter),
            "context": config.context if config.context is not None else counter.context,
            "language": language,
            "seed": config.seed,
            "families": dict(sample.families),
            "pseudo_documents": bool(frame["doc_id"].isna().any()),
            "percentiles": percentiles(scored, rows, columns),
            "notes": [*store.notes, *filter(None, [unfit]), *told],
            **{k: v for f in fitted.values() for k, v in f.meta.items()},
        },
        arrays={
            **{name: f.arrays for name, f in fitted.items()},
            **({"embedder": embedder.arrays} if isinstance(embedder, embeddings.Fittable) else {}),
            "text": text_state(store),
            "sample": {"rows": rows},
        },
        recombined={k: v for f in fitted.values() for k, v in f.recombined.items()},
    )
    return Scores(scored, state, chunks, asdict(config), seconds)


def rescore(
    chunks: ChunkFile,
    scores: Scores,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
    *,
    same_texts: bool = False,
    corpus: bool = True,
    embedder: Embedder | None = None,
    context: Context | None = None,
    documents: Sequence[str] | None = None,
) -> Scores:
    """Score another table by what an earlier run learned: the same numbers mean the same on both.

    Parameters
    ----------
    chunks : ChunkFile
        Other chunks, as a rule of the same documents.
    scores : Scores
        Of the earlier run: its settings and state hold.
    run : RunConfig
        How the work is done; changes no number.
    same_texts : bool
        Whether many texts are those of the earlier run's table: what was read from them is then looked up.
    corpus : bool
        Whether the rows are a corpus; else each is a text by itself, which duplicates no other.
    embedder : Embedder, optional
        The one that the settings name, where it is loaded already.
    context : Context, optional
        What is known of the chunks; else it is found in the table.
    documents : list of str, optional
        Document that each row is from, where the table does not say so.

    Returns
    -------
    Scores
        A row a chunk; the earlier state, with sentences and traits of these chunks.

    Raises
    ------
    RunError
        The embedder, the tokenizer or a library is not the one that the earlier run had.
    """
    config, state = ScoreConfig(**scores.settings), scores.state
    seconds: dict[str, float] = {}
    jobs = run.workers
    analyzers = [analyzer_of(name, config) for name in config.analyzers]
    needs: frozenset[Need] = frozenset().union(*(a.needs for a in analyzers))
    needs -= frozenset() if corpus else frozenset({"likeness"})
    embedder = embedder or embeddings.load(config.embedder)
    counter = tokens.load_hugging_face(config.tokenizer) if config.tokenizer else embedder
    if isinstance(embedder, embeddings.Fittable) and "embedder" in state.arrays:
        embedder = embedder.fitted(state.arrays["embedder"])
    same_identity(state, embedder, counter)
    earlier = FeatureStore(scores.chunks, config, needs, counter, cache) if same_texts else None
    store = FeatureStore(chunks, config, needs, counter, cache, earlier, context)
    with timed(seconds, "features"):
        store.compute(jobs, progress)
    vectors = embeddings.opened(cache, embedder)
    if "vectors" in needs:
        with timed(seconds, "vectors"):
            embed(store, vectors, embedder, jobs=jobs, batch=run.batch, progress=progress)
    fitted = {a.name: Fitted(state.arrays[a.name]) for a in analyzers}
    frame = core(chunks)
    documents = documents_of(frame["doc_id"].tolist()) if documents is None else documents
    documents = _kin(documents, state.meta.get("families", {}))
    with timed(seconds, "score"):
        columns, _ = score_all(
            store, analyzers, fitted, vectors, embedder, progress, documents, frame if corpus else None
        )
    # Rows of the earlier table would be other chunks here; limits may be learned again from these.
    rows = sampled_rows(frame["chunk_id"].tolist(), config.topics_order)
    theirs = {"text": text_state(store), "sample": {"rows": rows}}
    ours = State(state.meta, {**state.arrays, **theirs}, state.recombined)
    return Scores(frame.assign(**columns), ours, chunks, scores.settings, seconds)


def check(config: ScoreConfig) -> None:
    """Refuse names that no stage knows, before any work is done.

    Raises
    ------
    ConfigError
        An analyzer is not registered, or a tagger's package is missing; the message gives the nearest name or the fix.
    """
    for name in config.analyzers:
        analyzer_of(name)
    if config.topic_model == "bertopic" and "topics" in config.analyzers:
        bert_topics.check_installed()
    check_splitter(config.sentences)
    check_tagger(config.morphemes)


@contextmanager
def _let_go(pool: ThreadPoolExecutor) -> Iterator[None]:
    """On the way out of an error or an interruption, leave what the pool still has to do, also a fit of minutes."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        lda.stop()
        raise


def _kin(documents: Sequence[str], families: Mapping[str, str]) -> list[str]:
    """Documents, those that are versions of one another under one name."""
    return [families.get(document, document) for document in documents]


def _fit(analyzer: Analyzer, sample: Sample, cache: Cache, identity: str) -> Fitted:
    """Fit, or take what an equal run has fitted."""
    import json

    key = digest([analyzer.name, identity, version("gensim"), code("chunkeval.analyzers")])
    if (stored := cache.load("fits", key)) is not None:
        cache.reused += 1
        meta = json.loads(stored.pop("meta").tobytes())
        names = sorted({k.split(":", 2)[2] for k in stored if k.startswith("recombined:")})
        recombined = {n: Recombined(stored[f"recombined:mixes:{n}"], stored[f"recombined:splices:{n}"]) for n in names}
        return Fitted({k[len("array:") :]: v for k, v in stored.items() if k.startswith("array:")}, recombined, meta)
    fitted = analyzer.fit(sample)
    parts = {f"array:{k}": v for k, v in fitted.arrays.items()}
    for column, kinds in fitted.recombined.items():
        parts |= {f"recombined:mixes:{column}": kinds.mixes, f"recombined:splices:{column}": kinds.splices}
    cache.store("fits", key, {**parts, "meta": np.frombuffer(json.dumps(dict(fitted.meta)).encode(), np.uint8)})
    return fitted


def sentences_of(store: FeatureStore, rows: Ints) -> list[str]:
    """Sentences of the sampled rows, in the sample's order."""
    wanted = np.full(store.chunks.rows, -1, dtype=np.int64)
    wanted[rows] = np.arange(len(rows))
    found: list[list[str]] = [[] for _ in rows]
    for shard, (first, frame) in zip(store.shards(), tables(store.chunks, ["text"]), strict=True):
        texts = frame["text"].tolist()
        offsets, start, end = (shard.arrays[k] for k in ("sentence_offsets", "sentence_start", "sentence_end"))
        for i in np.flatnonzero(wanted[first : first + len(texts)] >= 0):
            spans = range(offsets[i], offsets[i + 1])
            found[wanted[first + i]] = [texts[i][start[j] : end[j]] for j in spans]
    return [s for sentences in found for s in sentences]
