"""Reference values made elsewhere: read where they are, skipped where they are not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(os.environ.get("CHUNKEVAL_VECTORS", Path(__file__).parents[1] / "../shared/vectors"))


def skip_without(name: str) -> pytest.MarkDecorator:
    """Skip tests whose values are not here."""
    return pytest.mark.skipif(not (_FOLDER / name).exists(), reason=f"{name} is not here")


def read(name: str) -> dict[str, Any]:
    """Read a file of values."""
    found: dict[str, Any] = json.loads((_FOLDER / name).read_text("utf-8"))
    return found


def cases(name: str) -> list[dict[str, Any]]:
    """Give the cases of a file of values; none where it is not."""
    found: list[dict[str, Any]] = read(name)["cases"] if (_FOLDER / name).exists() else []
    return found
