"""The road as functions: what they refuse, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from made_scores import made_scores

import chunkeval as ce

TABLE = pd.DataFrame({"text": ["사과는 빨갛다. 하늘은 푸르다.", "물은 끓는다."]})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: ce.flag(made_scores(), limits="cards"),
            ce.ConfigError,
            "unknown value of limits 'cards': did you mean 'card'",
        ),
        (
            lambda: ce.flag(made_scores(), limit={"tokns": 1}),
            ce.ConfigError,
            "unknown limit 'tokns': did you mean 'tokens'",
        ),
        (
            lambda: ce.flag(made_scores(), limit={"tokens": None}),
            ce.ConfigError,
            "limit.tokens must be a number or LOW:HIGH",
        ),
        (lambda: ce.flag(made_scores(), limit="tokens"), ce.ConfigError, "write NAME=VALUE"),
        (lambda: ce.score(TABLE, embeder="lsa"), ce.ConfigError, "unknown setting 'embeder': did you mean 'embedder'"),
        (lambda: ce.score(TABLE, topics_order="up"), ce.ConfigError, "topics-order: unknown value .up."),
        (lambda: ce.score(5), ce.TableError, "chunks must be a DataFrame or a path, not int"),
        (lambda: ce.calibrate([TABLE]), ce.TableError, "labelled must be a DataFrame or a path, not list"),
        (lambda: ce.index(None), ce.TableError, "chunks must be a DataFrame or a path, not NoneType"),
        (lambda: ce.judge(5), ce.TableError, "texts must be a string, several, or a DataFrame, not int"),
        (lambda: ce.flag(TABLE), ce.TableError, "scores must be what chunkeval.score gives, not DataFrame"),
        (lambda: ce.report(TABLE, "nowhere"), ce.TableError, "flags must be what chunkeval.flag gives, not DataFrame"),
        (lambda: ce.report(made_scores(), "nowhere"), ce.TableError, "flags must be .*, not Scores"),
        (lambda: ce.rechunk("run"), ce.TableError, "flags must be what chunkeval.flag gives, not str"),
        (lambda: ce.score(TABLE.head(0)), ce.TableError, "there are no rows"),
        (lambda: ce.load("없는 파일.csv", on_null="drop"), ce.ConfigError, "unknown value of on_null 'drop'"),
        (lambda: ce.report(ce.flag(made_scores()), "nowhere", lang="fr"), ce.ConfigError, "unknown value of lang 'fr'"),
    ],
)
def test_what_is_not_known_is_refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_limits_may_be_given_as_on_the_command_line() -> None:
    scores = made_scores()
    assert ce.flag(scores, limit="tokens=1:2").frame["flag_tokens"].all()
    assert ce.flag(scores, limit={"tokens": "1:2"}).frame["flag_tokens"].all()
