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


def cases(name: str) -> list[dict[str, Any]]:
    """Give the cases of a file of values; none where it is not."""
    path = _FOLDER / name
    return json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []
