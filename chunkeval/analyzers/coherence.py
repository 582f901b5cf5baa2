"""Coherence: how likely a chunk is as coherent as this corpus' own chunks, rather than put together of several texts.

What incoherent means here is learned from the corpus' own sentences, recombined: sentences of four documents and more
(*mixes*), two documents joined, or distant places of one (*splices*). Documents go to folds first. Everything that a chunk is
judged by was learned without its fold: the mean vector, the space of subjects, the rarity of words, recombinations, heads.

Recombined chunks are judged as chunks of a fold too, though their sentences may be of others: where a chunk of one document
holds a passage of another, what was learned without its fold saw the other document. The space tells apart what it saw better
than what it did not, so that recombinations within a fold look less bad than the bad chunks that a corpus has. They teach the
heads too, but what their logits mean is read off the others.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.analyzers import folds as dealing
from chunkeval.analyzers import recombine, spaces
from chunkeval.analyzers.base import Features, Fitted, Groups, Need, Sample, regrouped
from chunkeval.analyzers.heads import HEADS, Head
from chunkeval.analyzers.settling import Taught, logits_of, odds_of, settle
from chunkeval.analyzers.signals import SIGNALS
from chunkeval.results import Calibration, Measure, Recombined
from chunkeval.shares import MAX_SHARE, MIN_AUROC, MIN_CHUNKS, MIN_DOCUMENTS, Mixture, Reading, interval, too_few

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Ints

FEWEST_TO_TEACH = 50
"""Chunks of each kind outside every fold at least."""

MOST = 10_000
"""Chunks that are learned from at most."""

HALF = recombine.EACH_KIND // 2
"""Chunks of each of the two sorts that a kind has: of single sentences or chunks' ends, and of passages cut anywhere."""

DISTANT = 500
"""Splices within a document at most, beside those of two documents: they are the less certain kind."""

LIMIT = 0.5


class CoherenceAnalyzer:
    """``coherence`` and, in ``coherence_reason``, which head gave it and by which signal."""

    name = "coherence"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"sentences", "vectors", "words"})
    columns = ("coherence", "coherence_reason")
    measure = Measure(
        analyzer="coherence", column="coherence", side="low", reasons={"low": "incoherent"}, probability=True
    )

    def fit(self, sample: Sample) -> Fitted:
        """Learn the folds' spaces and heads, then judge the recombined chunks, none by what was learned from it."""
        features = sample.features
        rows = _different(features)[:MOST]
        documents = [features.documents[row] for row in rows]
        known = set(documents)
        before = len(known) + sum(family in known for family in sample.families.values())
        why = _too_little(len(rows), len(known), before)
        if why is not None:
            return _cannot(len(rows), len(known), why, before)
        ends = dealing.edges(documents)
        offsets, places = regrouped(features.sentences.offsets, rows)
        corpus = Groups(offsets, features.sentences.members[places])
        folds = dealing.folds(documents, ends)
        learned = spaces.learn(features, corpus, folds)
        if learned is None:
            return _cannot(len(rows), len(known), "its sentences are all alike", before)
        kinds, alone = _kinds(sample, rows, corpus, folds, learned, enough=len(ends) == 0)
        why = _too_uneven(kinds)
        if why is not None:
            return _cannot(len(rows), len(known), why, before)
        settled = settle(kinds, alone)
        told = _told(documents, settled.read, settled.mixture, sample.config.seed)
        state: Arrays = {
            "ends": ends,
            **learned,
            **_stored(settled.heads),
            "ratios": np.array(settled.ratios),
            "shares": np.array(settled.shares),
            "tells": np.array(told.tells),
        }
        bad = [np.round(1 / (1 + settled.odds(kind).max(axis=1)), 6) for kind in kinds[1:]]
        return Fitted(state, {"coherence": Recombined(*bad)}, {"calibrations": {"coherence": asdict(told)}})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give both columns; null under two sentences, and everywhere where the corpus could not teach."""
        n = len(features)
        coherence, reasons = np.full(n, np.nan), np.full(n, None, dtype=object)
        if "tells" not in state or not state["tells"]:
            return {"coherence": coherence, "coherence_reason": reasons}
        folds = dealing.folds(features.documents, state["ends"])
        measured, signals = spaces.Measuring(features, state).measured(features.sentences, folds)
        heads, folds = _read(state), folds[measured]
        found = odds_of(logits_of(signals, folds, heads), state["ratios"], state["shares"])
        coherence[measured] = 1 / (1 + found.max(axis=1))
        which = found.argmax(axis=1)
        for fold, both in enumerate(heads):
            for number, head in enumerate(both):
                at = np.flatnonzero((folds == fold) & (which == number))
                for row, signal in zip(measured[at], head.strongest(signals[at]), strict=True):
                    reasons[row] = f"{HEADS[number]}:{SIGNALS[signal]}"
        return {"coherence": coherence, "coherence_reason": reasons}


def _kinds(
    sample: Sample, rows: Ints, corpus: Groups, folds: Ints, learned: Arrays, *, enough: bool
) -> tuple[list[Taught], list[Taught]]:
    """Measure the corpus' chunks, mixes and splices of any folds; then mixes and splices of the fold that they are judged as of.

    The latter only where folds have documents enough (``enough``).
    """
    documents, seed = [sample.features.documents[row] for row in rows], sample.config.seed
    of_sentence = np.zeros(len(sample.features.sentence_keys), np.int64)
    of_sentence[corpus.members] = np.repeat(folds, np.diff(corpus.offsets))
    numbers = range(int(folds.max()) + 1)
    # Each chunk that is made of many folds leaves one out: it can teach the heads that judge that one.
    donors = recombine.Donors(corpus, documents, [np.flatnonzero(folds != fold) for fold in numbers])
    mixes, splices = _made(donors, seed)
    distant = recombine.distant(donors, sample.positions[rows], seed, DISTANT)
    rng = np.random.default_rng([seed, 5])
    first_of, both = partial(_first, of_sentence), _together(splices, distant)
    somewhere = [_somewhere(first_of(groups), folds, rng) for groups in (mixes, splices)]
    measured = partial(Taught.of, of_sentence=of_sentence, measuring=spaces.Measuring(sample.features, learned))
    kinds = [
        measured(corpus, folds),
        measured(mixes, somewhere[0]),
        measured(both, np.concatenate([somewhere[1], first_of(distant)])),
    ]
    if not enough:
        return kinds, []
    own = recombine.Donors(corpus, documents, [np.flatnonzero(folds == fold) for fold in numbers])
    return kinds, [measured(groups, first_of(groups)) for groups in _made(own, seed)]


def _made(donors: recombine.Donors, seed: int) -> tuple[Groups, Groups]:
    """Mixes and splices, of each half single sentences or chunks' ends and half passages cut anywhere."""
    return (
        _together(recombine.mixes(donors, seed, HALF, fewest=4), recombine.runs(donors, seed, HALF, documents=(4, 6))),
        _together(recombine.splices(donors, seed, HALF), recombine.runs(donors, seed, HALF, documents=(2, 2))),
    )


def _first(of_sentence: Ints, groups: Groups) -> Ints:
    return of_sentence[groups.members[groups.offsets[:-1]]]


def _somewhere(first: Ints, folds: Ints, rng: np.random.Generator) -> Ints:
    """Folds that made chunks are judged as of: their first sentence's, or any chunk's of the corpus, evenly."""
    return np.where(rng.random(len(first)) < 0.5, first, rng.choice(folds, size=len(first)))


def _different(features: Features) -> Ints:
    """Rows of two sentences and more, one of those that have the same sentences: copies teach nothing."""
    offsets, keys = features.sentences.offsets, features.sentence_keys[features.sentences.members]
    first: dict[bytes, int] = {}
    for row in np.flatnonzero(np.diff(offsets) >= 2).tolist():
        first.setdefault(keys[offsets[row] : offsets[row + 1]].tobytes(), row)
    return np.array(list(first.values()), np.int64)


def _together(*kinds: Groups) -> Groups:
    sizes = np.concatenate([np.diff(groups.offsets) for groups in kinds])
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Groups(offsets, np.concatenate([groups.members for groups in kinds]))


def _too_little(chunks: int, documents: int, before: int) -> str | None:
    if chunks < MIN_CHUNKS:
        return f"{chunks} different chunks of two sentences and more could be measured, {MIN_CHUNKS} are needed"
    if documents < MIN_DOCUMENTS:
        return too_few(documents, before)
    return None


def _too_uneven(kinds: list[Taught]) -> str | None:
    """Each fold is judged by what the others taught: there must be something of every kind in them."""
    for fold in range(kinds[0].seen.shape[1]):
        left = [int(np.count_nonzero(~kind.seen[:, fold])) for kind in kinds]
        if min(left) < FEWEST_TO_TEACH:
            return (
                f"most chunks are of one document or few: without them {left[0]} chunks, {left[1]} mixes and {left[2]} splices "
                f"are left to learn from, {FEWEST_TO_TEACH} of each are needed"
            )
    return None


def _cannot(chunks: int, documents: int, why: str, before: int) -> Fitted:
    joined = before if documents < MIN_DOCUMENTS and documents < before else None
    told = Calibration("coherence", None, chunks, documents, why=why, documents_before=joined)
    return Fitted({"tells": np.array(False)}, {}, {"calibrations": {"coherence": asdict(told)}})


def _told(documents: list[str], read: Reading, mixture: Mixture, seed: int) -> Calibration:
    names, codes = np.unique(np.array(documents, dtype=object).astype(str), return_inverse=True)
    resamples = mixture.resampled(codes.reshape(-1), len(names), seed)
    share = read.share_mix + read.share_splice
    why = None
    if share > MAX_SHARE:
        why = f"{share:.0%} of the corpus cannot be told from its own shuffled sentences"
    elif read.auroc < MIN_AUROC:
        why = f"AUROC against mixes is {read.auroc:.2f}, {MIN_AUROC} is needed"
    return Calibration(
        column="coherence",
        limit=None if why else LIMIT,
        measured=len(documents),
        documents=len(names),
        auroc=round(read.auroc, 6),
        auroc_ci=interval([r.auroc for r in resamples], read.auroc),
        auroc_observed=round(float(mixture.places[0].mean()), 6),
        auroc_splice=round(read.auroc_splice, 6),
        share=round(share, 6),
        share_ci=interval([r.share_mix + r.share_splice for r in resamples], share),
        share_mix=round(read.share_mix, 6),
        share_splice=round(read.share_splice, 6),
        why=why,
    )


def _stored(heads: list[tuple[Head, Head]]) -> dict[str, Any]:
    names = ("centre", "weights", "intercept")
    return {f"head_{name}": np.array([[getattr(head, name) for head in both] for both in heads]) for name in names}


def _read(state: Arrays) -> list[tuple[Head, Head]]:
    fields = [state[f"head_{name}"] for name in ("centre", "weights", "intercept")]
    both = [[Head(*(field[fold, k] for field in fields)) for k in range(2)] for fold in range(len(fields[0]))]
    return [(mixed, spliced) for mixed, spliced in both]
