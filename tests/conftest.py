from pathlib import Path

import pytest
from synthetic import make_flags

from chunkeval.results import Flags


@pytest.fixture
def flags(tmp_path: Path) -> Flags:
    """Sixty judged Korean chunks, made without the pipeline; see ``synthetic.make_flags``."""
    source = tmp_path / "made"
    source.mkdir()
    return make_flags(source)
