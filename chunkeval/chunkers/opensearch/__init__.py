"""OpenSearch's ``text_chunking`` ingest processor, to the letter."""

from __future__ import annotations

from chunkeval.chunkers.opensearch.exact_json import read_settings
from chunkeval.chunkers.opensearch.pipeline import Pipeline, read_pipeline, read_processor, run_pipeline
from chunkeval.chunkers.opensearch.processor import DEPTH_LIMIT, MAX_TOKEN_COUNT, Processor

__all__ = [
    "DEPTH_LIMIT",
    "MAX_TOKEN_COUNT",
    "Pipeline",
    "Processor",
    "read_pipeline",
    "read_processor",
    "read_settings",
    "run_pipeline",
]
