"""Analyzers: one file each, found by name through the registry."""
