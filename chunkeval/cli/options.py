"""Turns the settings' dataclasses into options: a command names its stages and gets them back filled."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_args, get_origin

from cyclopts import Parameter

from chunkeval import progress, settings
from chunkeval.config import AuditConfig, ConsoleConfig

EVERYWHERE = ("out", "json", "quiet", "jobs", "seed", "no_progress", "cache")
"""Options that every command takes, so that a script can give them to any; where they change nothing, help does not show them."""


@dataclass(frozen=True)
class Given:
    """Settled settings of one call."""

    config: AuditConfig
    console: ConsoleConfig
    stated: frozenset[str]
    """Names stated as an option or in the file."""

    def progress(self) -> progress.Progress:
        """Make the hook that the options ask for."""
        return progress.choose(quiet=self.console.quiet, no_progress=self.console.no_progress)


def takes(
    *stages: str, also: Collection[str] = (), without: Collection[str] = (), **words: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of these stages; it receives them as ``given``, a `Given`.

    Parameters
    ----------
    stages
        Names of `settings.STAGES`.
    also
        Single settings besides, by name.
    without
        Settings of the stages that this command has no use for.
    words
        Help for this command, by setting, where the dataclass' own words do not fit.
    """
    wanted = {name for stage in (*stages, "console") for name in _of(stage)} | set(also)
    shown = [name for name in settings.names() if name in wanted and name not in without]
    hidden = [name for name in EVERYWHERE if name not in shown]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        # What the command takes of its own stays as it is; its `given` makes place for the options.
        parameters = list(inspect.signature(command, eval_str=True).parameters.values())
        own = [parameter.name for parameter in parameters if parameter.name != "given"]
        parameters = [parameter for parameter in parameters if parameter.name != "given"]
        parameters += [_option(name, words.get(name), show=True) for name in shown]
        parameters += [_option(name, None, show=False) for name in hidden]
        parameters.append(_plain("config", str | None, "Settings file (TOML): every option is a key of the same name."))

        @functools.wraps(command)
        def called(*arguments: Any, **options: Any) -> None:
            mine = {name: options.pop(name) for name in own if name in options}
            path = options.pop("config", None)
            file = settings.read_toml(path) if path is not None else {}
            stated = {name for name, value in options.items() if value is not None} | set(file)
            command(*arguments, **mine, given=Given(*settings.build(options, file), frozenset(stated)))

        described: Any = called
        del described.__wrapped__
        described.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        described.__signature__ = inspect.Signature(parameters)
        return called

    return decorate


def _of(stage: str) -> list[str]:
    return [field.name for field in fields(settings.STAGES[stage])]


def _option(name: str, words: str | None, *, show: bool) -> inspect.Parameter:
    stage, hint = settings.names()[name]
    plain: Any = str
    shown: Any = None
    if stage:
        field = next(field for field in fields(settings.STAGES[stage]) if field.name == name)
        shown = settings.default(field)
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    kind = kinds[0] if type(None) in get_args(hint) else hint
    if any(get_origin(kind) is Literal for kind in kinds[1:]):  # a number or a word
        plain = str | None
    elif kind in (str, int, bool, float) or get_origin(kind) is Literal:
        plain = kind | None
    elif get_origin(kind) is tuple:
        plain = str | None
        shown = ",".join(shown)
    else:
        plain = list[str] | None
    return _plain(name, plain, words or settings.documentation()[name], shown=shown, show=show)


def _plain(name: str, hint: Any, words: str, *, shown: Any = None, show: bool = True) -> inspect.Parameter:
    # Defaults stay None, so that what is stated can be told from what is not: the file and the preset lie between.
    about = Parameter(
        name="--" + name.replace("_", "-"),
        consume_multiple=name == "tables",
        # -1% is no number to the parser: it would say that there is no value at all.
        allow_leading_hyphen=name in settings.SHARES,
        # The words are written for the documentation; a terminal shows its marks for code as they stand.
        help=words.replace("``", ""),
        show=show,
        negative="",
        show_default=str(shown) if shown is not None else False,
    )
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[hint, about])
