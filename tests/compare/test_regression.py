from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from chunkeval.compare.regression import check_like, gate, gone, read_baseline, regressions
from chunkeval.errors import GateError, RunError


def comparison(values: list[float], better: str = "higher") -> dict[str, Any]:
    return {
        "metric": {"name": "recall", "better": better, "retriever": "semantic", "k": None, "budget": 1000},
        "strategies": [
            {"name": "가", "baseline": None, "mean": sum(values) / len(values)},
            {"name": "fixed 30", "baseline": "fixed", "mean": 0.1},
        ],
        "values": {"가": {f"d{at}": value for at, value in enumerate(values)}},
    }


THEN = comparison([0.9, 0.8, 0.7, 0.9, 0.8] * 5)


def test_the_same_is_no_regression() -> None:
    assert regressions(THEN, THEN) == []


def test_what_is_compared_without_a_figure_is_not_gone() -> None:
    now = copy.deepcopy(THEN)
    now["strategies"][0]["mean"] = None
    assert gone(now, THEN) == []
    now["strategies"][0]["name"] = "나"
    assert gone(now, THEN) == ["가"]


def test_less_everywhere_is_one_and_the_gate_fails() -> None:
    said = regressions(comparison([0.8, 0.7, 0.5, 0.8, 0.7] * 5), THEN)
    assert len(said) == 1
    with pytest.raises(GateError, match="worse than the baseline: 가: recall 0.7000, was 0.8200"):
        gate(said)
    gate([])


def test_what_chance_explains_is_none() -> None:
    moved = [value + shift for value, shift in zip([0.9, 0.8, 0.7, 0.9, 0.8] * 5, [0.3, -0.31] * 13, strict=False)]
    assert regressions(comparison(moved), THEN) == []


def test_a_mean_that_was_higher_in_the_file_counts() -> None:
    raised = copy.deepcopy(THEN)
    raised["strategies"][0]["mean"] = 0.99
    assert regressions(THEN, raised)


def test_lower_is_better_turns_it_around() -> None:
    then, now = comparison([0.1, 0.2] * 10, "lower"), comparison([0.3, 0.4] * 10, "lower")
    assert regressions(now, then)
    assert not regressions(then, now)


def test_another_metric_or_other_names_are_refused() -> None:
    other = copy.deepcopy(THEN)
    other["metric"]["budget"] = 500
    with pytest.raises(RunError, match="measured with budget 500, now it is 1000"):
        check_like(THEN, other, "b.json")
    other = copy.deepcopy(THEN)
    other["strategies"][0]["name"] = "나"
    with pytest.raises(RunError, match="none of its strategies"):
        check_like(THEN, other, "b.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"strategies": [], "metric": {"name": "x"}}'])
def test_what_is_no_comparison_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "comparison.json").write_text(text)
    with pytest.raises(RunError, match="is no comparison"):
        read_baseline(tmp_path)
    with pytest.raises(RunError, match="cannot be read"):
        read_baseline(tmp_path / "none.json")


def test_a_folder_or_its_file_will_do(tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text(json.dumps(THEN), "utf-8")
    assert read_baseline(tmp_path) == read_baseline(tmp_path / "comparison.json") == THEN
