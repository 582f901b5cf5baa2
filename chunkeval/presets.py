"""Published recipes: settings that hold below what the caller states."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "article": {
            "analyzers": ("tokens", "similarity", "topics"),
            "sentences": "naive",
            "embedder": "snunlp/KR-SBERT-V40K-klueNLI-augSTS",
            "morphemes": "okt",
            "topics": 400,
            "topic_seeds": 1,
            "topics_order": "table",
            "seed": 42,
            "limits": "card",
            "inclusive": True,
        }
    }
)
"""Settings that a preset fills in below what the caller states."""
