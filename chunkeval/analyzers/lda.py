"""gensim's LDA without the work it does only to log: the same numbers, in about half the time.

Run as a module (``python -m chunkeval.analyzers.lda BOWS MODEL``) it fits in a process of its own, so that the pure-Python loop of the
fit does not hold up the threads that embed sentences meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import ChunkevalError

if TYPE_CHECKING:
    from gensim.models import LdaModel

    from chunkeval.progress import Step
    from chunkeval.results import Arrays, Floats, Ints

PASSES = 10
CHUNKSIZE = 100
TRUNCATION = 0.01
"""gensim's ``minimum_probability``: topics below it are dropped by ``get_document_topics``."""
VOCABULARY = 30_000
"""Words kept at most, the most frequent ones: memory and time of a fit grow with topics × words."""

_INFER_AT_ONCE = 1024
_HOME = str(Path(__file__).parents[2])
_AT_WORK: set[subprocess.Popen[bytes]] = set()


def _unheard() -> None:
    pass


class Bows(Sequence["tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]"]):
    """Bags of words in compressed rows, which gensim's fit walks like a list of documents.

    Parameters
    ----------
    offsets : (n + 1,) int64
    ids : (m,) int64
        Word ids, ascending within a document.
    counts : (m,) float32
    """

    def __init__(self, offsets: Ints, ids: Ints, counts: np.ndarray[Any, Any]) -> None:
        self.offsets = offsets
        self.ids = ids.astype(np.intp, copy=False)
        self.counts = counts.astype(np.float32, copy=False)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        a, b = self.offsets[index], self.offsets[index + 1]
        return self.ids[a:b], self.counts[a:b]

    def take(self, rows: Ints) -> Bows:
        """Give some of the bags."""
        sizes = np.diff(self.offsets)[rows]
        ends = np.cumsum(sizes)
        at = np.repeat(self.offsets[rows] - (ends - sizes), sizes) + np.arange(sizes.sum())
        return Bows(np.concatenate([[0], ends]).astype(np.int64), self.ids[at], self.counts[at])


class _ConstantGamma:
    """A random state whose gamma draws are their mean: inference then depends on the document alone."""

    def gamma(self, shape: float, scale: float, size: tuple[int, ...]) -> Any:
        return np.full(size, shape * scale)


def model_class(updated: Callable[[], None] = _unheard) -> type[LdaModel]:
    """Give the LdaModel subclass, which calls ``updated`` after each update; a function, since gensim is imported only where used.

    It draws the random numbers that the skipped work would have drawn, so that topics, alpha and every later draw equal gensim's, bit by
    bit (gensim 4.4, ``models/ldamodel.py``: ``log_perplexity``, ``do_mstep``, ``inference``).
    """
    from gensim.matutils import dirichlet_expectation, mean_absolute_difference
    from gensim.models import LdaModel

    class QuietLda(LdaModel):
        def log_perplexity(self, chunk: Any, total_docs: int | None = None) -> float:
            self.random_state.gamma(100.0, 1.0 / 100.0, (len(chunk), self.num_topics))
            return 0.0

        def do_mstep(self, rho: float, other: Any, extra_pass: bool = False) -> None:
            self.state.blend(rho, other)
            self.sync_state(self.state.get_Elogbeta())
            if self.num_topics > 5:
                self.random_state.rand(self.num_topics)
            if not extra_pass:
                self.num_updates += other.numdocs
            updated()

        def inference(self, chunk: Any, collect_sstats: bool = False) -> tuple[Any, Any]:
            gamma = self.random_state.gamma(100.0, 1.0 / 100.0, (len(chunk), self.num_topics)).astype(
                self.dtype, copy=False
            )
            start = np.exp(dirichlet_expectation(gamma))
            sstats = np.zeros_like(self.expElogbeta, dtype=self.dtype) if collect_sstats else None
            epsilon = np.finfo(self.dtype).eps
            alpha, threshold, iterations, expElogbeta = (
                self.alpha,
                self.gamma_threshold,
                self.iterations,
                self.expElogbeta,
            )
            dot, exp = np.dot, np.exp
            for d, (ids, counts) in enumerate(chunk):
                gammad, theta = gamma[d], start[d]
                beta = expElogbeta[:, ids]
                beta_t = beta.T
                norm = dot(theta, beta)
                norm += epsilon
                for _ in range(iterations):
                    last = gammad
                    gammad = dot(counts / norm, beta_t)
                    gammad *= theta
                    gammad += alpha
                    theta = exp(dirichlet_expectation(gammad))
                    norm = dot(theta, beta)
                    norm += epsilon
                    if mean_absolute_difference(gammad, last) < threshold:
                        break
                gamma[d] = gammad
                if sstats is not None:
                    sstats[:, ids] += np.outer(theta.T, counts / norm)
            if sstats is not None:
                sstats *= self.expElogbeta
            return gamma, sstats

    return QuietLda


def updates(documents: int) -> int:
    """Give the number of updates that a fit makes."""
    return PASSES * -(-documents // CHUNKSIZE)


def fit(bows: Bows, num_words: int, *, num_topics: int, seed: int, updated: Callable[[], None] = _unheard) -> Arrays:
    """Fit the topics.

    Returns
    -------
    dict
        ``exp_elog_beta`` (topics, words) float32 and ``alpha`` (topics,) float32: all that inference needs. ``words`` (topics, words)
        float32: how likely each word is in each topic.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        model = model_class(updated)(
            corpus=bows,
            id2word=_Identity(num_words),
            num_topics=num_topics,
            random_state=seed,
            update_every=1,
            chunksize=CHUNKSIZE,
            passes=PASSES,
            alpha="auto",
        )
    return {
        "exp_elog_beta": np.asarray(model.expElogbeta),
        "alpha": np.asarray(model.alpha),
        "words": np.asarray(model.get_topics()),
    }


def fit_elsewhere(bows: Bows, num_words: int, *, num_topics: int, seed: int, step: Step) -> Arrays:
    """Fit in a process of its own and wait for it; the numbers are those of `fit`. ``step`` hears of each of the `updates`.

    Raises
    ------
    ChunkevalError
        The process ended without a result.
    """
    with tempfile.TemporaryDirectory(prefix="chunkeval-lda-") as folder:
        source, target, said = Path(folder, "bows.npz"), Path(folder, "model.npz"), Path(folder, "said.txt")
        np.savez(
            source,
            offsets=bows.offsets,
            ids=bows.ids,
            counts=bows.counts,
            sizes=np.array([num_words, num_topics, seed]),
        )
        with (
            said.open("wb") as errors,
            subprocess.Popen(
                # -P: what lies in the folder where the user stands must not be taken for a module
                [sys.executable, "-P", "-m", "chunkeval.analyzers.lda", str(source), str(target)],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [_HOME, os.environ.get("PYTHONPATH")]))},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):
            _AT_WORK.add(process)
            try:
                for _ in process.stdout or ():
                    step.advance()
                code = process.wait()
            finally:
                _AT_WORK.discard(process)
        if code != 0:
            last = (said.read_text("utf-8", "replace").strip().splitlines() or ["no message"])[-1]
            raise ChunkevalError(f"the LDA fit ended with code {code}: {last}")
        with np.load(target, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}


def stop() -> None:
    """End the fits that are at work elsewhere, so that whoever waits for one need not."""
    for process in list(_AT_WORK):
        process.kill()


def infer(bows: Bows, topics: Arrays) -> Floats:
    """Topic weights of each document, from a constant start.

    Returns
    -------
    (n, topics) float64
        Rows sum to 1.
    """
    num_topics, num_words = topics["exp_elog_beta"].shape
    if not num_words:
        return np.full((len(bows), num_topics), 1.0 / num_topics)
    model = model_class()(id2word=_Identity(num_words), num_topics=num_topics, alpha=topics["alpha"])
    model.expElogbeta = topics["exp_elog_beta"]
    model.random_state = _ConstantGamma()
    parts = [model.inference(bows[i : i + _INFER_AT_ONCE])[0] for i in range(0, len(bows), _INFER_AT_ONCE)]
    gamma = np.concatenate(parts).astype(np.float64) if parts else np.zeros((0, num_topics))
    weights: Floats = gamma / gamma.sum(axis=1, keepdims=True)
    return weights


class _Identity(dict[int, str]):
    """``id2word`` of a vocabulary whose words gensim never needs to see."""

    def __init__(self, num_words: int) -> None:
        super().__init__()
        self._num_words = num_words

    def __len__(self) -> int:
        return self._num_words

    def keys(self) -> Any:
        return range(self._num_words)


def main(arguments: Sequence[str]) -> None:
    """Fit in a process of its own: read the bags from the first file, write the model to the second."""
    threading.Thread(target=_end_with_the_caller, daemon=True).start()
    source, target = arguments
    with np.load(source, allow_pickle=False) as stored:
        bows = Bows(stored["offsets"], stored["ids"], stored["counts"])
        words, topics, seed = (int(x) for x in stored["sizes"])
    unfinished = Path(target).with_suffix(".unfinished.npz")
    fitted = fit(bows, words, num_topics=topics, seed=seed, updated=lambda: print(flush=True))
    np.savez(unfinished, allow_pickle=False, **fitted)
    unfinished.replace(target)


def _end_with_the_caller() -> None:
    """Wait for the caller's end of the pipe to close: then nobody is there to take the result."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
