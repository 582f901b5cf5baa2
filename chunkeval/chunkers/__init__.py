"""Chunkers: one file a strategy; each gives spans of the text it was given, never a rewritten text."""
