"""Strategies side by side: on the same documents, by the same limits, beside cuts of the same size that look at nothing."""

from chunkeval.compare.road import Comparison

__all__ = ["Comparison"]
