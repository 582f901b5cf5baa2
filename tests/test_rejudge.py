"""What is judged by an earlier run's limits keeps the settings that they came of."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from made_rechunk import judged_rows
from made_scores import made_scores

import chunkeval as ce
from chunkeval import settings
from chunkeval.config import FlagConfig
from chunkeval.rejudge import limits_of
from chunkeval.report.payload import _options
from chunkeval.runs import open_run

OTHER: dict[str, Any] = {
    "limits": "card",
    "limit": {"token_count": "1:9"},
    "inclusive": True,
    "calibration": "내 한계.toml",
    "false_flags": "1%",
}


@pytest.mark.parametrize("name", [field.name for field in fields(FlagConfig)])
def test_every_setting_is_handed_on(name: str) -> None:
    flags = ce.flag(made_scores())
    stated = replace(flags, settings={**flags.settings, name: OTHER[name]})
    assert vars(limits_of(stated)) == {**flags.settings, name: OTHER[name]}


def test_a_run_that_was_cut_again_says_what_its_limits_came_of(tmp_path: Path) -> None:
    flags = judged_rows(["가 나 다 라.", "마.", "바 사 아 자."], tmp_path, doc_id=["d"] * 3)
    stated = replace(flags, settings={**flags.settings, "limits": "calibrated", "calibration": "mine.toml"})
    ce.rechunk(stated, out=tmp_path / "again")
    again = open_run(tmp_path / "again")
    assert again.flags.settings == stated.settings
    assert {name: again.summary["settings"][name] for name in stated.settings} == stated.settings


@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize("limits", ["auto", "card", "calibrated"])
@pytest.mark.parametrize("calibration", [None, "내 한계.toml"])
@pytest.mark.parametrize("false_flags", ["5%", "0.02"])
def test_the_line_to_type_asks_for_the_same(
    inclusive: bool, limits: str, calibration: str | None, false_flags: str
) -> None:
    asked = {"inclusive": inclusive, "limits": limits, "calibration": calibration, "false_flags": false_flags}
    view: Any = SimpleNamespace(summary={"settings": asked}, redact=False, embed="worst")
    words = _options(view)
    given = {name[2:].replace("-", "_"): value for name, value in zip(words[::2], words[1::2], strict=True)}
    found = vars(settings.build(given)[0].flag)
    assert {name: found[name] for name in asked} == asked
