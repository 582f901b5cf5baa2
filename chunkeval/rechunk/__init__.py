"""Flagged chunks cut again: what to do with each, the new pieces, and whether they are better."""

from chunkeval.rechunk.road import Rechunked, rechunk_flags

__all__ = ["Rechunked", "rechunk_flags"]
