"""Fixtures of the tests that ask a language model."""

from fake_llm import fake

__all__ = ["fake"]
