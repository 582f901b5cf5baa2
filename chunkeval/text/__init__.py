"""Text: sentences, words, tokens, vectors."""
