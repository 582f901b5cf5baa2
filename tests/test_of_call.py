"""An option that a function would not look at is refused, and never passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin

import pandas as pd
import pytest
from made_scores import made_scores

import chunkeval as ce
from chunkeval import settings
from chunkeval.config import AuditConfig

TABLE = pd.DataFrame({"text": ["사과는 빨갛다. 하늘은 푸르다.", "물은 끓는다."]})

CALLS: Mapping[str, Callable[..., Any]] = {
    "score": lambda **options: ce.score(TABLE, **options),
    "calibrate": lambda **options: ce.calibrate(TABLE, **options),
    "judge": lambda **options: ce.judge("물은 끓는다.", **options),
    "rechunk": lambda **options: ce.rechunk(ce.flag(made_scores()), out="nowhere", **options),
    "rechunk without out": lambda **options: ce.rechunk(ce.flag(made_scores()), **options),
}


def a_value(name: str) -> Any:
    """Some value of the type that a setting has."""
    hint = settings.names()[name][1]
    kind = next((kind for kind in get_args(hint) if kind is not type(None)), hint) if get_args(hint) else hint
    if get_origin(hint) is Literal or get_origin(kind) is Literal:
        return get_args(kind if get_origin(kind) is Literal else hint)[0]
    known = {"limit": {"tokens": "1:2"}, "analyzers": "tokens", "sentences": "rules", "morphemes": "okt"}
    return known.get(name, {str: "x", int: 5, float: 0.5, bool: True}.get(kind))


def taken(call: str) -> set[str]:
    stages, others = settings.CALLS[call]
    return {*others, *(field.name for stage in stages for field in fields(settings.STAGES[stage]))}


@pytest.mark.parametrize("call", CALLS)
def test_whatever_a_function_has_no_use_for_is_refused(call: str) -> None:
    own = {"decisions", "out", "run"}
    for name in settings.names().keys() - taken(call) - own | ({"dry_run"} if call.startswith("rechunk") else set()):
        with pytest.raises(ce.ConfigError, match=f"^{name} changes nothing in {call}, leave it out"):
            CALLS[call](**{name: a_value(name)})


@pytest.mark.parametrize("call", CALLS)
def test_what_it_looks_at_is_settled(call: str) -> None:
    for name in taken(call) - {"dry_run", "decisions"}:
        found = settings.of_call(call, {name: a_value(name)})
        stage = settings.names()[name][0]
        assert isinstance(found, AuditConfig)
        assert getattr(getattr(found, stage) if stage else found, name) not in (None, "")


def test_none_counts_as_not_stated() -> None:
    settings.of_call("judge", {"topics": None, "embedder": None})
