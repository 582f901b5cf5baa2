"""The app: commands by name; their modules are imported when they are called."""

from __future__ import annotations

from collections.abc import Sequence

from cyclopts import App, CycloptsError, UnusedCliTokensError

from chunkeval import __version__
from chunkeval.cli.main import ABOUT, COMMANDS
from chunkeval.errors import ConfigError


def app() -> App:
    """Build the app."""
    built = App(
        name="chunkeval",
        help=ABOUT,
        help_format="plaintext",
        version=__version__,
        help_flags=["--help", "-h"],
        suppress_keyboard_interrupt=False,
    )
    for name, words in COMMANDS.items():
        built.command(f"chunkeval.cli.{name}:{name}_command", name=name, help=words)
    return built


def call(arguments: Sequence[str]) -> None:
    """Run one command.

    Raises
    ------
    ConfigError
        A command, an option or a value is not known; the message gives the nearest that is.
    """
    try:
        app()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        raise ConfigError(_usage(error)) from error


def _usage(error: CycloptsError) -> str:
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"unexpected argument {error.unused_tokens[0]!r}"
    error.verbose = False
    return str(error)
