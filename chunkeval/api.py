"""The road as functions: load, score, flag, report; and `audit`, which walks all of it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import flags as judging
from chunkeval import loaders, outputs, runs, sampling, scoring
from chunkeval.cache import Cache
from chunkeval.config import AuditConfig, FlagConfig, LoadConfig, RunConfig, ScoreConfig
from chunkeval.progress import Progress, Silent
from chunkeval.results import ChunkFile, Flags, Scores
from chunkeval.summary import Extras, check_by

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Audit:
    """A finished run."""

    flags: Flags
    summary: Mapping[str, Any]
    """What ``summary.json`` holds."""
    out: Path
