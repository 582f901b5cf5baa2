"""How the chunks of a comparison are read: a passage has the same sentences in every strategy, those of its document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chunkeval.text.clipping import DocumentSentences
from chunkeval.text.context import Context, contextual, nothing

if TYPE_CHECKING:
    from chunkeval.compare.documents import Corpus, Row
    from chunkeval.compare.strategies import Strategy
    from chunkeval.config import ScoreConfig
    from chunkeval.text.sentences import Span


def readings(
    tables: Mapping[str, tuple[Strategy, Sequence[int], Sequence[Row]]],
    corpus: Corpus | None,
    score: ScoreConfig,
    jobs: int,
) -> dict[str, Context]:
    """Read every strategy's chunks; the documents are split into sentences once.

    Parameters
    ----------
    tables
        Each strategy, the places of its chunks in its table, and the chunks, in the order of their documents.
    corpus
        The documents; None where no table names any.
    score
        How sentences are found.
    jobs
        Threads.
    """
    if score.sentences == "naive":
        return {name: nothing(strategy.file.rows) for name, (strategy, _, _) in tables.items()}
    texts = {} if corpus is None else {name: corpus.texts[name] for name in sorted(corpus.exact)}
    known = DocumentSentences(texts, splitter=score.sentences, jobs=jobs)
    found = {}
    for name, (strategy, order, rows) in tables.items():
        context = contextual(strategy.file)
        sentences: list[Sequence[Span] | None] = [None] * len(rows)
        for place, row in zip(order, rows, strict=True):
            if row.doc_id in known.documents and row.spans is not None:
                sentences[place] = known.of(str(row.doc_id), row.spans, int(context.skip[place]))
        found[name] = replace(context, sentences=sentences)
    return found
