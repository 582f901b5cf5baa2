"""What judges texts where there is no run: shipped mean vectors and limits, or the published rules; token counts are only told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkeval import limits
from chunkeval.config import ScoreConfig
from chunkeval.errors import ConfigError
from chunkeval.profiles import mean_vector, profile
from chunkeval.results import ChunkFile, Flags, Judgement, Limit, Scores, SourceInfo, State
from chunkeval.scoring import analyzer_of, identity
from chunkeval.text import embeddings, tokens

if TYPE_CHECKING:
    from chunkeval.config import FlagConfig
    from chunkeval.text.embeddings import Embedder

ANALYZERS = ("tokens", "similarity")
"""Those that can say something of a text without a corpus."""

UNRELATED, SAME = 0.0, 1.0
"""Where the severity of the published limit on similarity ends, for want of a corpus' percentiles."""


def shipped(config: ScoreConfig, flag: FlagConfig, embedder: Embedder, language: str) -> Flags:
    """Give what an earlier run would be for `rejudge.rejudge`, made of what chunkeval ships.

    Parameters
    ----------
    config
        Embedder, tokenizer and context; of the analyzers only `ANALYZERS` are run.
    flag
        Limits given by hand.
    embedder
        The one that ``config`` names.
    language
        ``ko``, ``en``, …: of the texts to judge.

    Returns
    -------
    Flags
        Without rows. ``state.meta["centred"]`` is False where no mean vector is shipped: ``similarity_centred`` is then
        not centred and judges nothing.

    Raises
    ------
    ConfigError
        The embedder learns from a corpus, or a limit given by hand is not valid.
    """
    import pandas as pd

    if isinstance(embedder, embeddings.Fittable):
        raise ConfigError(f"{embedder.name} learns from a corpus: audit one with it and name the run with --run")
    config = replace(config, analyzers=ANALYZERS)
    counter = tokens.load_hugging_face(config.tokenizer) if config.tokenizer else embedder
    mean = mean_vector(embedder.name, language)
    arrays = {"tokens": {}, "similarity": {"mean": np.zeros(embedder.dimension) if mean is None else mean}}
    meta = {
        "analyzers": list(ANALYZERS),
        "embedder": embedder.name,
        **identity(embedder, counter),
        "context": config.context if config.context is not None else counter.context,
        "language": language,
        "seed": config.seed,
        "centred": mean is not None,
    }
    columns = ["doc_id", *(column for name in ANALYZERS for column in analyzer_of(name).columns)]
    rows = pd.DataFrame({name: np.zeros(0) for name in columns})
    state = State(meta, arrays, {})
    judgements = tuple(_without_corpus(one, mean is not None) for one in limits.judge(rows, state, flag))
    state = replace(state, meta={**meta, "percentiles": _ends(judgements, embedder.name, language)})
    nowhere = ChunkFile(Path(), SourceInfo("", "none", "", 0))
    return Flags(rows, judgements, Scores(rows, state, nowhere, asdict(config)), {})


def _without_corpus(judgement: Judgement, centred: bool) -> Judgement:
    """Take back what cannot be said without a corpus: fences of no tokens, a limit on what could not be centred."""
    limit = judgement.limit
    if limit.rule == "none" or (limit.column == "similarity_centred" and not centred):
        return replace(judgement, limit=Limit(limit.column, "none", "no corpus to compare with"))
    return judgement


def _ends(judgements: tuple[Judgement, ...], embedder: str, language: str) -> Mapping[str, tuple[float, float]]:
    """Say where severity ends in each judged column; at the limit itself, where nobody knows, all beyond it is as bad."""
    ends: dict[str, tuple[float, float]] = {}
    for one in judgements:
        column, low, high = one.limit.column, one.limit.low, one.limit.high
        known = profile(embedder, language, column)
        if known is not None:
            ends[column] = known.percentiles
        elif column == "similarity":
            ends[column] = (UNRELATED, SAME)
        else:
            ends[column] = (low if low is not None else 0.0, high if high is not None else 0.0)
    return ends
