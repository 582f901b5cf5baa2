"""Coherence: how likely a chunk is as coherent as this corpus' own chunks, rather than put together of several texts.

What incoherent means here is learned from the corpus' own sentences, recombined: sentences of four documents and more
(*mixes*), two documents joined, or distant places of one (*splices*). Documents go to folds first. Everything that a chunk is
judged by was learned without its fold: the mean vector, the space of subjects, the rarity of words, recombinations, heads.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.analyzers import folds as dealing
from chunkeval.analyzers import recombine, spaces
from chunkeval.analyzers.base import Features, Fitted, Groups, Need, Sample, regrouped
from chunkeval.analyzers.heads import HEADS, Head, fit_head, fit_ratio, odds
from chunkeval.analyzers.signals import SIGNALS
from chunkeval.results import Calibration, Measure, Recombined
from chunkeval.shares import MAX_SHARE, MIN_AUROC, MIN_CHUNKS, MIN_DOCUMENTS, Kind, Mixture, Reading, interval

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Floats, Ints

FEWEST_TO_TEACH = 50
"""Chunks of each kind outside every fold at least."""

MOST = 10_000
"""Chunks that are learned from at most."""

HALF = recombine.EACH_KIND // 2
"""Chunks of each of the two sorts that a kind has: of single sentences or chunks' ends, and of passages cut anywhere."""

DISTANT = 500
"""Splices within a document at most, beside those of two documents: they are the less certain kind."""

LEAST_SHARE = 0.005
"""Share that each kind is taken to have at least: no corpus is free of it, and a share of 0 could not flag anything."""

ROUNDS = 5
"""Times the heads are fitted, each time without the corpus' worst chunks, as many as the last ones took for bad."""

TAILS = 0.5, 0.3
"""Part of each kind that must lie below a threshold for its share to be read there.

Bad chunks are seldom as bad as recombined ones. At `shares.TAIL_MIX` and `shares.TAIL_SPLICE`, which fit one overlapping score,
20 % mixed passages planted in 964 Korean paragraphs were read as 14 % and half of them found; here as 23 % and nearly all.
"""

LIMIT = 0.5

MOST_LEFT_OUT = 0.9
_NEXT_TO_NOTHING = 1e-6


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
        why = _too_little(len(rows), len(set(documents)))
        if why is not None:
            return _cannot(len(rows), len(set(documents)), why)
        ends = dealing.edges(documents)
        offsets, places = regrouped(features.sentences.offsets, rows)
        corpus = Groups(offsets, features.sentences.members[places])
        folds = dealing.folds(documents, ends)
        learned = spaces.learn(features, corpus, folds)
        if learned is None:
            return _cannot(len(rows), len(set(documents)), "its sentences are all alike")
        donors = recombine.Donors(corpus, documents, folds.tolist())
        seed = sample.config.seed
        mixes = _together(
            recombine.mixes(donors, seed, HALF, fewest=4), recombine.runs(donors, seed, HALF, documents=(4, 6))
        )
        splices = _together(
            recombine.splices(donors, seed, HALF),
            recombine.runs(donors, seed, HALF, documents=(2, 2)),
            recombine.distant(donors, sample.positions[rows], seed, DISTANT),
        )
        placed = spaces.Placed(features, corpus, folds, learned)
        kinds = [_Kind(*placed.measured(groups)) for groups in (corpus, mixes, splices)]
        why = _too_uneven(kinds)
        if why is not None:
            return _cannot(len(rows), len(set(documents)), why)
        settled = _settled(kinds)
        told = _told(documents, settled.read, settled.mixture, seed)
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
        placed = spaces.Placed(features, features.sentences, folds, state)
        kind = _Kind(*placed.measured(features.sentences))
        heads = _read(state)
        found = _odds(kind, heads, state["ratios"], state["shares"])
        coherence[kind.rows] = 1 / (1 + found.max(axis=1))
        which = found.argmax(axis=1)
        for fold, both in enumerate(heads):
            for number, head in enumerate(both):
                at = np.flatnonzero((kind.folds == fold) & (which == number))
                for row, signal in zip(kind.rows[at], head.strongest(kind.signals[at]), strict=True):
                    reasons[row] = f"{HEADS[number]}:{SIGNALS[signal]}"
        return {"coherence": coherence, "coherence_reason": reasons}


@dataclass(frozen=True)
class _Kind:
    """The measured ones of some chunks, with their folds."""

    rows: Ints
    signals: Floats
    folds: Ints

    def logits(self, heads: list[tuple[Head, Head]]) -> Floats:
        """(n, 2) by the heads that did not see their folds."""
        found = np.empty((len(self.rows), 2))
        for fold, both in enumerate(heads):
            at = self.folds == fold
            found[at] = np.stack([head.logit(self.signals[at]) for head in both], axis=1)
        return found


@dataclass(frozen=True)
class _Learned:
    heads: list[tuple[Head, Head]]
    """By fold, those that did not see it."""
    ratios: list[tuple[float, float]]
    """By head, slope and intercept; see `fit_ratio`."""
    mixture: Mixture
    read: Reading

    @property
    def shares(self) -> list[float]:
        return [max(share, LEAST_SHARE) for share in (self.read.share_mix, self.read.share_splice)]

    def odds(self, kind: _Kind) -> Floats:
        return _odds(kind, self.heads, self.ratios, self.shares)


def _settled(kinds: list[_Kind]) -> _Learned:
    """Fit heads and read the shares, then again without the chunks that were taken for bad."""
    learned = _round(kinds, np.ones(len(kinds[0].rows)))
    for _ in range(ROUNDS - 1):
        odds_of_bad = np.round(learned.odds(kinds[0]).sum(axis=1), 9)
        share = min(learned.read.share_mix + learned.read.share_splice, MOST_LEFT_OUT)
        learned = _round(kinds, np.where(odds_of_bad > np.quantile(odds_of_bad, 1 - share), _NEXT_TO_NOTHING, 1.0))
    return learned


def _round(kinds: list[_Kind], weights: Floats) -> _Learned:
    count = int(max(kind.folds.max(initial=0) for kind in kinds)) + 1
    heads = [_fit(kinds, weights, fold) for fold in range(count)]
    logits = [kind.logits(heads) for kind in kinds]
    ratios = [fit_ratio(logits[0][:, k], weights, logits[1 + k][:, k]) for k in range(2)]
    mix, splice = (Kind(*(-values[:, k] for values in logits)) for k in range(2))
    mixture = Mixture.of(mix, splice, TAILS)
    return _Learned(heads, ratios, mixture, mixture.read(np.ones(len(weights))))


def _fit(kinds: list[_Kind], weights: Floats, fold: int) -> tuple[Head, Head]:
    seen = [kind.folds != fold for kind in kinds]
    corpus, mixes, splices = (kind.signals[at] for kind, at in zip(kinds, seen, strict=True))
    # Mixes teach the second head too: what is of three documents must not escape between the two.
    bad = (mixes, np.vstack([splices, mixes]))
    mixed, spliced = (fit_head(corpus, weights[seen[0]], each) for each in bad)
    return mixed, spliced


def _odds(kind: _Kind, heads: list[tuple[Head, Head]], ratios: Any, shares: Any) -> Floats:
    logits = kind.logits(heads)
    return odds([slope * logits[:, k] + intercept for k, (slope, intercept) in enumerate(ratios)], list(shares))


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


def _too_little(chunks: int, documents: int) -> str | None:
    if chunks < MIN_CHUNKS:
        return f"{chunks} different chunks of two sentences and more could be measured, {MIN_CHUNKS} are needed"
    if documents < MIN_DOCUMENTS:
        return f"documents with measured chunks: {documents}, {MIN_DOCUMENTS} are needed"
    return None


def _too_uneven(kinds: list[_Kind]) -> str | None:
    """Each fold is judged by what the others taught: there must be something of every kind in them."""
    for fold in np.unique(kinds[0].folds):
        left = [int(np.count_nonzero(kind.folds != fold)) for kind in kinds]
        if min(left) < FEWEST_TO_TEACH:
            return (
                f"most chunks are of one document or few: without them {left[0]} chunks, {left[1]} mixes and {left[2]} splices "
                f"are left to learn from, {FEWEST_TO_TEACH} of each are needed"
            )
    return None


def _cannot(chunks: int, documents: int, why: str) -> Fitted:
    told = Calibration("coherence", None, chunks, documents, why=why)
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
