"""Which server is asked, and with which key: the key comes from the environment or a file, and is shown nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from chunkeval.errors import ConfigError

KEYS = ("CHUNKEVAL_API_KEY", "OPENAI_API_KEY")
"""Environment variables with the key, the first that is set."""
KEY_FILE = "CHUNKEVAL_API_KEY_FILE"
"""Environment variable that names a file with the key."""
URLS = ("CHUNKEVAL_BASE_URL", "OPENAI_BASE_URL")
"""Environment variables with the server's address, the first that is set."""
MODEL = "CHUNKEVAL_MODEL"
"""Environment variable with the model's name."""
PLACEHOLDER = "none-needed"
"""Sent to a server of one's own where there is no key: these take any, but the client has to send one."""
_MASK = "***"


@dataclass(frozen=True)
class Endpoint:
    """A model at a server."""

    model: str
    base_url: str | None
    """None: OpenAI's own."""
    key: str = field(default=PLACEHOLDER, repr=False)

    @property
    def where(self) -> str:
        """The server's address."""
        return "https://api.openai.com/v1" if self.base_url is None else self.base_url.rstrip("/")

    def mask(self, text: str) -> str:
        """Take the key out of a text.

        Examples
        --------
        >>> Endpoint("m", None, "sk-secret").mask("no such key: sk-secret")
        'no such key: ***'
        """
        if self.key != PLACEHOLDER:
            for form in {self.key, quote(self.key, safe=""), repr(self.key)[1:-1]}:
                text = text.replace(form, _MASK)
        return text


def endpoint(
    model: str | None = None,
    base_url: str | None = None,
    api_key_file: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Endpoint:
    """Settle what is asked: given, else from the environment.

    Parameters
    ----------
    model
        The model's name at the server; ``$CHUNKEVAL_MODEL`` where None.
    base_url
        The server's address up to ``/v1``; ``$CHUNKEVAL_BASE_URL``, ``$OPENAI_BASE_URL``, else OpenAI's own where None.
    api_key_file
        A file that holds the key; ``$CHUNKEVAL_API_KEY``, ``$OPENAI_API_KEY`` or the file that
        ``$CHUNKEVAL_API_KEY_FILE`` names where None.
    environment
        ``os.environ`` where None.

    Raises
    ------
    ConfigError
        There is neither key nor address, no model is named, the address is none, or the key cannot be read.

    Examples
    --------
    >>> endpoint("gpt-5-mini", environment={"OPENAI_API_KEY": "sk-secret"})
    Endpoint(model='gpt-5-mini', base_url=None)
    """
    around = os.environ if environment is None else environment
    address = base_url if base_url is not None else _first(around, URLS)
    key = _key(api_key_file, around)
    named = model if model is not None else around.get(MODEL)
    if address is None and key is None:
        raise ConfigError(
            "no language model to ask: give the server's address as base_url=http://localhost:8080/v1, "
            f"or set {KEYS[1]} for OpenAI's own"
        )
    if address is not None:
        address = _address(address)
    if not isinstance(named, str) or not named.strip():
        raise ConfigError(f"no model is named: give model=NAME, as the server calls it, or set {MODEL}")
    return Endpoint(named.strip(), address, PLACEHOLDER if key is None else key)


def configured(environment: Mapping[str, str] | None = None) -> bool:
    """Say whether the environment names a server or a key."""
    around = os.environ if environment is None else environment
    return any(around.get(name) for name in (*KEYS, KEY_FILE, *URLS))


def _first(around: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := around.get(name, "").strip())), None)


def _address(given: object) -> str:
    address = given.strip() if isinstance(given, str) else ""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or any(mark.isspace() for mark in address):
        raise ConfigError(
            "base_url must begin with http:// or https:// and name a host: give it as http://localhost:8080/v1"
        )
    parts = urlsplit(address)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(f"base_url must hold no user, password or query: leave them out and set {KEYS[0]}")
    return address


def _key(file: str | None, around: Mapping[str, str]) -> str | None:
    path = file if file is not None else None if _first(around, KEYS) else around.get(KEY_FILE) or None
    if path is None:
        key = _first(around, KEYS)
        place = "the environment"
    else:
        place = f"the file {path}"
        try:
            key = Path(path).read_text("utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise ConfigError(f"cannot read the key from {place}: {why}") from None
        if not key:
            raise ConfigError(f"{place} is empty: put the key, and nothing else, into it")
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError(f"the key in {place} holds what no key holds (a space, a line break, a letter beyond ASCII)")
    return key
