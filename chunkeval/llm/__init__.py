"""Asking a language model at any server that speaks OpenAI's chat completions."""
