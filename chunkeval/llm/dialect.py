"""What servers understand differs: how a request is put, and how it is put more simply where one refuses it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

_FORMATS = ("schema", "object", "plain")
_ABOUT_FORMAT = ("response_format", "json_schema", "json_object", "structured", "grammar", "schema")


@dataclass(frozen=True)
class Dialect:
    """How requests are put.

    ``format``: whether the reply's schema is given as such (``schema``), JSON is asked for and the schema told in words
    (``object``), or it is told in words only (``plain``). ``limit``: the name of the most tokens that a reply may have.
    """

    format: Literal["schema", "object", "plain"] = "schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    """Whether it is set, to 0."""

    def request(self, model: str, messages: Sequence[Mapping[str, Any]], max_tokens: int) -> dict[str, Any]:
        """Put a request without a schema."""
        put: dict[str, Any] = {"model": model, "messages": [*messages], self.limit: max_tokens}
        return {**put, "temperature": 0} if self.temperature else put

    def for_schema(
        self, model: str, system: str, user: str, max_tokens: int, name: str, schema: Mapping[str, object]
    ) -> dict[str, Any]:
        r"""Put a request whose reply is JSON of a schema.

        Examples
        --------
        >>> put = Dialect("object").for_schema("m", "Count.", "one two", 10, "count", {"type": "integer"})
        >>> put["response_format"], put["messages"][0]["content"]
        ({'type': 'json_object'}, 'Count.\n\nReply with JSON only, of this JSON schema: {"type": "integer"}')
        """
        if self.format != "schema":
            system += f"\n\nReply with JSON only, of this JSON schema: {json.dumps(schema, ensure_ascii=False)}"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        put = self.request(model, messages, max_tokens)
        if self.format == "schema":
            described = {"name": name, "schema": dict(schema), "strict": True}
            put["response_format"] = {"type": "json_schema", "json_schema": described}
        elif self.format == "object":
            put["response_format"] = {"type": "json_object"}
        return put

    def after(self, refusal: str) -> Dialect | None:
        """Give a way to put it that a server understands which refuses this one; None where it does not say which.

        Examples
        --------
        >>> Dialect().after("Unsupported parameter: 'max_tokens'").limit
        'max_completion_tokens'
        >>> Dialect().after("response_format json_schema is not supported").format
        'object'
        """
        words = refusal.lower()
        if self.limit in words and self.limit == "max_tokens" and "unsupported" in words:
            return replace(self, limit="max_completion_tokens")
        if "temperature" in words and self.temperature:
            return replace(self, temperature=False)
        if any(word in words for word in _ABOUT_FORMAT):
            return self.simpler()
        return None

    def simpler(self) -> Dialect | None:
        """Ask for the next less that a server may understand of the reply's format; None where nothing is left."""
        if self.format == "schema":
            return replace(self, format="object")
        return replace(self, format="plain") if self.format == "object" else None
