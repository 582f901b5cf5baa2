"""Flagged chunks cut again: what to do with each, the new pieces, and whether they are better."""

from chunkeval.rechunk.rounds import Rechunked

__all__ = ["Rechunked"]
