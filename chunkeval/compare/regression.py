"""Whether strategies got worse since an earlier comparison, for a build that must not let that pass."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkeval.errors import GateError, RunError
from chunkeval.retrieval.segmentation import paired_difference
from chunkeval.runs import COMPARISON


def read_baseline(path: Path) -> dict[str, Any]:
    """Read an earlier comparison.

    Parameters
    ----------
    path
        Its ``comparison.json``, or the folder that holds it.

    Raises
    ------
    RunError
        It cannot be read, or is no comparison.
    """
    file = path / COMPARISON if path.is_dir() else path
    try:
        found = json.loads(file.read_text("utf-8"))
        known = {one["name"]: float(one["mean"]) for one in found["strategies"] if one["mean"] is not None}
        if not known or not isinstance(found["metric"]["name"], str):
            raise ValueError("it has no figures")
    except OSError as error:
        raise RunError(
            f"--fail-on-regression {path}: cannot be read: {error.strerror or error}: give a comparison.json"
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(
            f"--fail-on-regression {path}: is no comparison ({type(error).__name__}: {error}): give a comparison.json"
        ) from None
    return dict(found)


def check_like(now: Mapping[str, Any], then: Mapping[str, Any], path: str) -> None:
    """Refuse an earlier comparison that measured something else, or other strategies.

    Raises
    ------
    RunError
        The message says what differs.
    """
    for name in ("name", "retriever", "k", "budget", "model", "max_loops", "max_answer_tokens"):
        mine, theirs = now["metric"].get(name), then["metric"].get(name)
        if mine != theirs:
            told = "metric" if name == "name" else name
            raise RunError(
                f"--fail-on-regression {path}: was measured with {told} {theirs!r}, now it is {mine!r}: compare like with like"
            )
    if not _shared(now, then):
        raise RunError(
            f"--fail-on-regression {path}: none of its strategies is compared now: name them as they were named then"
        )


def gone(now: Mapping[str, Any], then: Mapping[str, Any]) -> list[str]:
    """Name the strategies of an earlier comparison that are not compared now: no gate can hold for them."""
    names = {one["name"] for one in now["strategies"]}
    return [name for name in _means(then) if name not in names]


def regressions(now: Mapping[str, Any], then: Mapping[str, Any]) -> list[str]:
    """Say which strategies are worse than they were by more than chance explains.

    The change of the mean is held against half the width of its 95 % interval, from the documents that both comparisons
    have; where nothing changed in any document, every change of the mean counts.

    Parameters
    ----------
    now, then
        What ``comparison.json`` holds.

    Returns
    -------
    list of str
        A line each; baselines are no strategies.
    """
    sign = 1 if now["metric"]["better"] == "higher" else -1
    said = []
    for name in _shared(now, then):
        before, after = _means(then)[name], _means(now)[name]
        mine, theirs = now.get("values", {}).get(name, {}), then.get("values", {}).get(name, {})
        both = [doc for doc in mine if doc in theirs and mine[doc] is not None and theirs[doc] is not None]
        half = 0.0
        if both:
            spread = paired_difference([mine[doc] for doc in both], [theirs[doc] for doc in both])
            half = (spread.high - spread.low) / 2
        if sign * (after - before) < -max(half, 1e-6):
            said.append(f"{name}: {now['metric']['name']} {after:.4f}, was {before:.4f} (chance explains ±{half:.4f})")
    return said


def gate(said: list[str]) -> None:
    """Fail where a strategy got worse.

    Raises
    ------
    GateError
        The message names each.
    """
    if said:
        raise GateError(f"worse than the baseline: {'; '.join(said)}")


def _means(comparison: Mapping[str, Any]) -> dict[str, float]:
    return {
        one["name"]: one["mean"] for one in comparison["strategies"] if one["mean"] is not None and not one["baseline"]
    }


def _shared(now: Mapping[str, Any], then: Mapping[str, Any]) -> list[str]:
    earlier = _means(then)
    return [name for name in _means(now) if name in earlier]
