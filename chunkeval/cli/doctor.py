"""``chunkeval doctor``: what works here, tried rather than looked up, and what to install."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, visible
from chunkeval.errors import ChunkevalError, ConfigError

_MODELS = 5
"""Models of a server that are named."""


@dataclass(frozen=True)
class Check:
    """One thing tried."""

    name: str
    works: bool
    says: str
    """What was found, or what went wrong."""
    fix: str | None = None
    """What to do where it does not work."""


@takes(also=("out", "cache"), out="Write the result to this file.")
def doctor_command(*, given: Given) -> None:
    """Say what works on this machine and what to install."""
    found = [_tried(name, tries, fix) for name, tries, fix in _checks(given.config.run.cache)]
    lines = []
    for check in found:
        lines.append(f"{'ok  ' if check.works else 'NO  '}{check.name:<20} {visible(check.says)}")
        if check.fix is not None:
            lines.append(f"    {'':<20} {check.fix}")
    hand_over([asdict(check) for check in found], lines, given)


def _checks(cache: str | None) -> list[tuple[str, Callable[[], str], str | None]]:
    core = "pip install --force-reinstall chunkeval"
    return [
        ("python", _python, None),
        ("kiwi", _kiwi, core),
        ("use-multilingual", _use, core),
        ("torch", _torch, core),
        ("konlpy", _konlpy, "pip install 'chunkeval[konlpy]' (only for --morphemes okt and its like)"),
        (
            "korean font",
            _font,
            "install a Korean font (on Debian: apt-get install fonts-nanum), or pip install koreanize-matplotlib",
        ),
        (
            "language model",
            _language_model,
            "set CHUNKEVAL_BASE_URL and CHUNKEVAL_MODEL for a server of your own, or OPENAI_API_KEY and CHUNKEVAL_MODEL "
            "for OpenAI's (only for the chunkers agentic and proposition, and for ask)",
        ),
        ("mcp", _mcp, "pip install 'chunkeval[mcp]' (only for the command mcp)"),
        ("cache", lambda: _cache(cache), "name a folder that can be written to with --cache DIR"),
    ]


def _tried(name: str, tries: Callable[[], str], fix: str | None) -> Check:
    try:
        return Check(name, True, tries())
    except ChunkevalError as error:
        return Check(name, False, str(error), fix)
    except Exception as error:
        # Whatever a broken installation throws is the finding here.
        return Check(name, False, f"{type(error).__name__}: {error}", fix)


def _python() -> str:
    return (
        f"{platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores, {sys.prefix}"
    )


def _kiwi() -> str:
    from importlib.metadata import version

    from kiwipiepy import Kiwi

    words = Kiwi(num_workers=1).tokenize("김치는 발효 음식이다.")
    return f"{version('kiwipiepy')}, finds {len(words)} morphemes in a sentence"


def _use() -> str:
    from chunkeval.text.use import UseEmbedder

    near, far, other = UseEmbedder().encode(
        ["김치는 발효 음식이다.", "김치는 배추를 절여 담근다.", "주가가 크게 올랐다."], 3
    )
    if float(near @ far) <= float(near @ other):
        raise ConfigError("it finds unrelated sentences nearer than related ones")
    return f"tells related sentences ({float(near @ far):.2f}) from unrelated ones ({float(near @ other):.2f})"


def _torch() -> str:
    import torch

    device = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "processor only"
    return f"{torch.__version__}, {device}, {torch.get_num_threads()} threads"


def _konlpy() -> str:
    from chunkeval.text.morphemes import tagger

    return f"okt finds {len(tagger('okt')(['김치는 발효 음식이다.'])[0])} content words in a sentence"


def _font() -> str:
    from chunkeval.report.figures.fonts import families, korean

    if not korean():
        raise ConfigError("no installed or packaged font has Hangul")
    return f"Hangul in plots by {families()[0]}"


def _language_model() -> str:
    from chunkeval.llm import endpoint
    from chunkeval.llm.sending import check_installed, models

    check_installed()
    if not endpoint.configured():
        raise ConfigError("the environment names no server to ask")
    named = os.environ.get(endpoint.MODEL)
    asked = endpoint.endpoint(named or "any")
    there = models(asked)
    first = ", ".join(there[:_MODELS]) + (", …" if len(there) > _MODELS else "")
    if named is None:
        return f"{asked.where} answers and has {first}: name one as model=NAME or in {endpoint.MODEL}"
    if named not in there:
        raise ConfigError(f"{asked.where} has no model {named!r}; it has {first}")
    return f"{named} is at {asked.where}"


def _mcp() -> str:
    from importlib.metadata import version

    from chunkeval.retrieval import serving

    serving.check_installed()
    from mcp.server.lowlevel import Server

    return f"{version('mcp')}, {Server.__name__} can serve search and reading to agents"


def _cache(named: str | None) -> str:
    from chunkeval.cache import Cache

    folder = Cache(Path(named) if named else None).folder
    sizes = [file.stat().st_size for file in folder.rglob("*") if file.is_file()]
    return f"{folder}, {len(sizes):,} parts, {sum(sizes) / 2**20:,.0f} MiB"
