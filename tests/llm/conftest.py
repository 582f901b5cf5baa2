"""Fixtures of the tests that ask a language model."""

from fake_llm import fake
from real_llm import real_model

__all__ = ["fake", "real_model"]
