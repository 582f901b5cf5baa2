"""One request to a server, and what its failure means: try again, put it otherwise, or the settings are wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NoReturn

from chunkeval.errors import ConfigError, MissingExtraError, ServerLost
from chunkeval.llm.endpoint import KEYS, PLACEHOLDER, Endpoint

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

LARGEST = 8_000_000
"""Bytes of an answer that are read."""
_AGAIN = (408, 409, 425, 429)
"""Statuses after which it is worth trying again, besides those from 500 on."""
_SAID = 300
"""Characters of what a server says that are repeated."""


class Failed(Exception):
    """A request that may succeed when sent again."""

    def __init__(self, why: str, wait: float | None = None, *, slow: bool = False, taken: bool = True) -> None:
        super().__init__(why)
        self.wait = wait
        """Seconds that the server asks to wait."""
        self.slow = slow
        """No answer came in time."""
        self.taken = taken
        """Whether the server may have worked on it."""


class Refused(Exception):
    """A request that this server will not take as it is."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(f"refused by the server ({status}): {says}")
        self.says = says


def check_installed() -> None:
    """Refuse before any work is done where the package is missing.

    Raises
    ------
    MissingExtraError
        The message names the fix.
    """
    try:
        import openai  # noqa: F401
    except ImportError:
        raise MissingExtraError("asking a language model needs the extra llm: pip install 'chunkeval[llm]'") from None


def connect(endpoint: Endpoint, timeout: float) -> OpenAI:
    """Make the client of the ``openai`` package; nothing is sent yet.

    Raises
    ------
    MissingExtraError
        The package is not installed.
    """
    check_installed()
    from openai import OpenAI, Timeout

    limits = Timeout(timeout, connect=min(timeout, 10.0))
    # Tries are counted and paid for by the caller, so that the package makes none of its own.
    return OpenAI(api_key=endpoint.key, base_url=endpoint.where, timeout=limits, max_retries=0)


def send(api: OpenAI, endpoint: Endpoint, request: Mapping[str, Any], timeout: float) -> bytes:
    """Ask for one chat completion.

    Parameters
    ----------
    api, endpoint
        Whom to ask.
    request
        As the protocol has it.
    timeout
        Seconds for the whole of it, also where the server sends a little now and then.

    Returns
    -------
    bytes
        The answer's body.

    Raises
    ------
    Failed, Refused
        See there.
    ConfigError
        The server refuses the key, or has no such model or address.
    ServerLost
        The account at the server is used up.
    """
    until = time.monotonic() + timeout
    with (
        _meaning(endpoint, timeout),
        api.chat.completions.with_streaming_response.create(**request) as response,
    ):
        return _read(response.iter_bytes(), until, timeout)


def models(endpoint: Endpoint, timeout: float = 10.0) -> list[str]:
    """Ask a server for the names of its models.

    Raises
    ------
    ConfigError, MissingExtraError
        See `send` and `connect`.
    ServerLost
        There is no answer, or none that lists models.
    """
    api, anyone = connect(endpoint, timeout), replace(endpoint, model="")
    try:
        with _meaning(anyone, timeout), api.models.with_streaming_response.list() as response:
            read = json.loads(_read(response.iter_bytes(), time.monotonic() + timeout, timeout))
    except (Failed, Refused) as error:
        raise ServerLost(f"no answer from {endpoint.where}: {error}") from None
    except (ValueError, RecursionError):
        read = None
    listed = read.get("data") if isinstance(read, dict) else None
    if not isinstance(listed, list):
        raise ServerLost(f"{endpoint.where} lists no models: is it the address up to /v1?")
    return [str(item["id"]) for item in listed if isinstance(item, dict) and "id" in item]


def _read(parts: Iterable[bytes], until: float, timeout: float) -> bytes:
    body = bytearray()
    for part in parts:
        body += part
        if time.monotonic() > until:
            raise Failed(f"no answer within {timeout:g} s", slow=True)
        if len(body) > LARGEST:
            raise Refused(200, f"its answer is longer than {LARGEST:,} bytes")
    return bytes(body)


@contextmanager
def _meaning(endpoint: Endpoint, timeout: float) -> Iterator[None]:
    """Turn what the package raises into what it means."""
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        _status(error, endpoint)
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise Failed(f"no answer within {timeout:g} s", slow=True) from None
    except (openai.APIConnectionError, httpx2.HTTPError) as error:
        cause = error.__cause__ or error
        why = f"the connection failed ({endpoint.mask(str(cause)) or type(cause).__name__})"
        raise Failed(why, taken=not isinstance(cause, httpx2.ConnectError)) from None


def _status(error: APIStatusError, endpoint: Endpoint) -> NoReturn:
    status, says = error.status_code, _says(error, endpoint)
    if status in (401, 403):
        hint = f"set {KEYS[1]} to a key" if endpoint.key == PLACEHOLDER else "check the key"
        use = f" that may use {endpoint.model}" if endpoint.model else ""
        # What the server says of it may repeat the key in part.
        raise ConfigError(f"{endpoint.where} refuses the key ({status}): {hint}{use}") from None
    if status in (404, 405) and not endpoint.model:
        raise ConfigError(f"{endpoint.where} is not the address up to /v1 ({status}): check base_url") from None
    if status in (404, 405):
        raise ConfigError(
            f"{endpoint.where} has no model {endpoint.model!r}, or is not the address up to /v1 ({status}): "
            f"check model and base_url"
        ) from None
    if status == 402 or error.code == "insufficient_quota":
        raise ServerLost(f"the account at {endpoint.where} is used up ({status}): {says}") from None
    if status in _AGAIN or status >= 500:
        raise Failed(f"status {status}: {says}", _wait(error.response.headers), taken=False) from None
    raise Refused(status, says) from None


def _says(error: APIStatusError, endpoint: Endpoint) -> str:
    body = error.body
    said = body.get("message") if isinstance(body, dict) else None
    text = said if isinstance(said, str) else str(error.message)
    return endpoint.mask(" ".join(text.split()))[:_SAID]


def _wait(headers: Mapping[str, str]) -> float | None:
    """Read ``Retry-After``: seconds or a date.

    Examples
    --------
    >>> _wait({"retry-after": "2"}), _wait({"retry-after": "soon"}), _wait({"retry-after": "Fri, 01 Jan 2010 00:00:00 GMT"})
    (2.0, None, 0.0)
    """
    given = headers.get("retry-after", "")
    with suppress(ValueError):
        seconds = float(given)
        return seconds if 0 <= seconds < float("inf") else None
    with suppress(ValueError, TypeError):
        return max((parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds(), 0.0)
    return None
