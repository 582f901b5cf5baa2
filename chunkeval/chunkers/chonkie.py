"""Chonkie's chunkers, for comparison: their texts, anchored to the document."""

from __future__ import annotations

import inspect
from typing import Any

from chunkeval.chunkers.anchoring import anchor
from chunkeval.chunkers.base import Chunk
from chunkeval.chunkers.langchain import check_sizes
from chunkeval.errors import ConfigError, InputError, MissingExtraError, unknown_name
from chunkeval.text.offsets import encodable


class ChonkieChunker:
    """A chunker of chonkie; its own offsets are not relied on.

    Parameters
    ----------
    name
        Its class, like ``RecursiveChunker``.
    **settings
        Its parameters.

    Raises
    ------
    MissingExtraError
        chonkie is not installed, or what the chunker needs besides.
    ConfigError
        There is no such chunker, or it refuses the settings.

    Examples
    --------
    >>> text = "One cat sat. Two dogs ran."
    >>> chunker = ChonkieChunker("TokenChunker", tokenizer="character", chunk_size=13)
    >>> [chunk.text(text) for chunk in chunker.split(text)]
    ['One cat sat. ', 'Two dogs ran.']
    """

    def __init__(self, name: str, **settings: Any) -> None:
        try:
            import chonkie
        except ImportError:
            raise MissingExtraError(
                "chonkie chunkers need chonkie: install it with pip install 'chunkeval[compare]'"
            ) from None
        classes: dict[str, Any] = {
            key: found
            for key in dir(chonkie)
            if key.endswith("Chunker") and key != "BaseChunker" and inspect.isclass(found := getattr(chonkie, key))
        }
        if name not in classes:
            raise unknown_name("chonkie chunker", name, classes)
        self.name = f"chonkie:{name}"
        check_sizes(self.name, classes[name], settings, share=True)
        self.embedders = _embedders(classes[name], settings)
        """Those whose vectors decide where it cuts; see `base.CutsByEmbedder`."""
        try:
            self._chunker = classes[name](**settings)
        except ImportError as error:
            raise MissingExtraError(f"{self.name} needs more than chonkie: {error}") from error
        except (TypeError, ValueError, OSError) as error:
            raise ConfigError(f"{self.name} refuses its settings: {error}") from error

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; what the chunker lost or altered is in the chunks' metadata (`anchoring.losses`).

        Raises
        ------
        InputError
            The chunker fails on the document.
        """
        document = encodable(text)
        try:
            made = self._chunker.chunk(document)
        except (ValueError, TypeError, IndexError, KeyError, RuntimeError) as error:
            raise InputError(f"{self.name} fails on a document of {len(text)} characters: {error}") from error
        return anchor(document, [chunk.text for chunk in made])


def _embedders(build: type, settings: dict[str, Any]) -> tuple[str, ...]:
    parameter = inspect.signature(build).parameters.get("embedding_model")
    if parameter is None:
        return ()
    model = settings.get("embedding_model", parameter.default)
    return (model if isinstance(model, str) else type(model).__name__,)
