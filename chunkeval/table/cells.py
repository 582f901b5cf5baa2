"""How one cell becomes a text, a name or a number, whatever the source wrote into it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from chunkeval.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

_WHOLE = re.compile(r"\s*([+-]?\d{1,18})(?:\.0*)?\s*")
_PLAIN = {str, int, bool, dict, list, type(None)}
"""Types of cells that need no second look."""
_LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


def cells(frame: pd.DataFrame, column: str) -> list[Any]:
    """Cells of a column as Python values, null as None; ``outer.key`` takes a key of each object.

    Raises
    ------
    TableError
        The column holds bytes that are no UTF-8 although it says that it is text.
    """
    if column not in frame.columns:
        outer, _, key = column.partition(".")
        if not key or outer not in frame.columns:
            return [None] * len(frame)
        return [cell.get(key) if isinstance(cell, dict) else None for cell in cells(frame, outer)]
    series = frame[column]
    if series.dtype != object:
        import pyarrow as pa

        try:
            return list(pa.array(series, from_pandas=True).to_pylist())
        except UnicodeDecodeError as error:
            raise TableError(f"column {column!r} holds bytes that are not UTF-8: write it again as UTF-8") from error
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError):
            return series.astype(object).where(series.notna(), None).tolist()
    values: list[Any] = series.tolist()
    if set(map(type, values)) <= _PLAIN:
        return values
    return [None if _is_null(cell) else _plain(cell) for cell in values]


def _is_null(cell: Any) -> bool:
    # pd.NA and pd.NaT are told by their types' names, so that cells need no pandas
    return cell is None or (isinstance(cell, float) and cell != cell) or type(cell).__name__ in ("NAType", "NaTType")


def _plain(cell: Any) -> Any:
    if type(cell).__module__ != "numpy":
        return cell
    return cell.tolist() if hasattr(cell, "tolist") else cell


def scrub(text: str) -> str:
    r"""Put U+FFFD where a surrogate stands alone; pairs become the character they spell.

    Examples
    --------
    >>> scrub("가\ud800나") == "가\ufffd나"
    True
    """
    return _LONE.sub("\ufffd", text).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def scrubbed(texts: list[str]) -> list[str]:
    """Texts without lone surrogates; the same list where there are none."""
    return (
        [scrub(text) if has_surrogates(text) else text for text in texts] if any(map(has_surrogates, texts)) else texts
    )


def has_surrogates(text: str) -> bool:
    """Whether a text cannot be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def as_text(cell: Any, column: str, where: Callable[[], str]) -> str:
    """Text of a cell: numbers are written out, objects and lists are an error."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        try:
            return cell.decode()
        except UnicodeDecodeError as error:
            raise TableError(
                f"{where()}: column {column!r} holds bytes that are not UTF-8: write text into it"
            ) from error
    if isinstance(cell, bool | dict | list | tuple | set):
        kind = {dict: "an object", bool: "true or false"}.get(type(cell), "a list")
        raise TableError(f"{where()}: column {column!r} holds {kind}, not text: name another column with --text")
    return str(cell)


def as_key(cell: Any, column: str, option: str, where: Callable[[], str]) -> str | None:
    """Id of a cell, None where it is null or empty; 1 and 1.0 are both "1"."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float):
        return str(int(cell)) if math.isfinite(cell) and cell == int(cell) else repr(cell)
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, dict | list | tuple | set):
        kind = "an object" if isinstance(cell, dict) else "a list"
        raise TableError(f"{where()}: column {column!r} holds {kind}, not a name: choose another column with {option}")
    return str(cell)


def as_whole(cell: Any) -> int | None:
    """Whole number of a cell, None where it is none ("3", 3, 3.0 and "3.0" are 3)."""
    if type(cell) is int:
        return cell if abs(cell) < 2**62 else None
    if isinstance(cell, float):
        return int(cell) if math.isfinite(cell) and cell == int(cell) and abs(cell) < 2**53 else None
    if isinstance(cell, str) and (found := _WHOLE.fullmatch(cell)):
        return int(found[1])
    return None


def as_spans(cell: Any) -> list[list[int]] | None:
    """``[[start, end], …]`` of a cell, given as lists or as their JSON; None where it is neither."""
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            return None
    if not isinstance(cell, Sequence):
        return None
    spans: list[list[int]] = []
    for pair in cell:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            return None
        start, end = as_whole(pair[0]), as_whole(pair[1])
        if start is None or end is None or not 0 <= start <= end:
            return None
        spans.append([start, end])
    return spans
