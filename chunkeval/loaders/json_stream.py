"""JSON read piece by piece: of a million records one is in memory at a time, and errors name line and column."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from chunkeval.errors import SourceError

_BLOCK = 1 << 20
"""Characters read at a time."""
_LONGEST = 16
"""Characters of the longest token that a block may cut other than a string or a number."""
_SPACE = " \t\r\n"


class JsonStream:
    """A cursor over one JSON document; values are decoded where the caller asks for them.

    Parameters
    ----------
    file
        Open text.
    name
        What messages call it.

    Examples
    --------
    >>> import io
    >>> stream = JsonStream(io.StringIO('{"chunks": [{"text": "가"}, {"text": "나"}]}'), "x.json")
    >>> [[stream.value() for _ in stream.items()] for key in stream.members()]
    [[{'text': '가'}, {'text': '나'}]]
    """

    def __init__(self, file: IO[str], name: str) -> None:
        self._file, self._name = file, name
        self._buffer, self._at, self._done = "", 0, False
        self._line, self._column = 1, 0
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """Next character that is no white space, "" at the end."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._fill():
                return ""

    def items(self) -> Iterator[None]:
        """Walk a list: stands before each element in turn; the caller takes it by `value`, `items` or `members`."""
        self._take("[")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            yield
            if self._comma_or("]"):
                return

    def members(self) -> Iterator[str]:
        """Walk an object: gives each key and stands before its value."""
        self._take("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self._error("a name in double quotes is needed here", self._at)
            key = self.value()
            self._take(":")
            yield str(key)
            if self._comma_or("}"):
                return

    def value(self) -> Any:
        """Decode the value that the cursor stands before."""
        if not self.peek():
            raise self._error("the file ends in the middle of the document", self._at)
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self._buffer) - _LONGEST
                if not (cut and self._fill()):
                    raise self._error(error.msg, error.pos) from error
            except (ValueError, RecursionError) as error:
                raise self._error("a number too long or lists too deep to read", self._at) from error
            else:
                # a number that the block cuts ("1", "1.", "1e-") may go on in the next
                cut = isinstance(value, int | float) and not self._buffer[end : end + _LONGEST].strip(".eE+-")
                if not (cut and self._fill()):
                    self._at = end
                    return value

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.peek():
            raise self._error("more after the document's end", self._at)

    def _take(self, char: str) -> None:
        if self.peek() != char:
            raise self._error(f"{char!r} is needed here", self._at)
        self._at += 1

    def _comma_or(self, closing: str) -> bool:
        char = self.peek()
        if char not in (",", closing) or not char:
            what = f"',' or {closing!r} is needed here" if char else "the file ends in the middle of the document"
            raise self._error(what, self._at)
        self._at += 1
        return char == closing

    def _fill(self) -> bool:
        """Read on, at least as much as is pending: a huge value is then tried again only a few times."""
        if self._done:
            return False
        try:
            block = self._file.read(max(_BLOCK, len(self._buffer) - self._at))
        except UnicodeDecodeError as error:
            raise SourceError(f"{self._name}: changed while it was read: try again") from error
        if not block:
            self._done = True
            return False
        consumed = self._buffer[: self._at]
        breaks = consumed.count("\n")
        self._column = len(consumed) - consumed.rfind("\n") - 1 if breaks else self._column + len(consumed)
        self._line += breaks
        self._buffer, self._at = self._buffer[self._at :] + block, 0
        return True

    def _error(self, what: str, at: int) -> SourceError:
        before = self._buffer[:at]
        breaks = before.count("\n")
        column = len(before) - before.rfind("\n") if breaks else self._column + len(before) + 1
        return SourceError(
            f"{self._name}: line {self._line + breaks}, column {column}: broken JSON: {what}: mend it there"
        )
