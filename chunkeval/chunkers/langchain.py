"""LangChain's text splitters, for comparison: their texts, anchored to the document."""

from __future__ import annotations

import inspect
from typing import Any

from chunkeval.chunkers.anchoring import anchor
from chunkeval.chunkers.base import Chunk
from chunkeval.errors import ConfigError, InputError, MissingExtraError, unknown_name
from chunkeval.text.offsets import encodable

_SIZES = ("chunk_size", "tokens_per_chunk")


class LangchainChunker:
    """A splitter of langchain-text-splitters.

    Parameters
    ----------
    name
        Its class, like ``RecursiveCharacterTextSplitter``.
    **settings
        Its parameters; ``encoding_name`` counts sizes in tokens of a tiktoken encoding.

    Raises
    ------
    MissingExtraError
        langchain-text-splitters is not installed.
    ConfigError
        There is no such splitter, or it refuses the settings.

    Examples
    --------
    >>> text = "하나 둘 셋"
    >>> chunker = LangchainChunker("RecursiveCharacterTextSplitter", chunk_size=4, chunk_overlap=0)
    >>> [chunk.text(text) for chunk in chunker.split(text)]
    ['하나 둘', '셋']
    """

    def __init__(self, name: str, **settings: Any) -> None:
        try:
            import langchain_text_splitters
        except ImportError:
            raise MissingExtraError(
                "langchain chunkers need langchain-text-splitters: install it with pip install 'chunkeval[compare]'"
            ) from None
        classes: dict[str, Any] = {
            key: found
            for key, found in vars(langchain_text_splitters).items()
            if inspect.isclass(found) and hasattr(found, "split_text") and not inspect.isabstract(found)
        }
        if name not in classes:
            raise unknown_name("langchain splitter", name, classes)
        self.name = f"langchain:{name}"
        build = classes[name]
        check_sizes(self.name, build, settings)
        if "encoding_name" in settings and "encoding_name" not in inspect.signature(build).parameters:
            build = build.from_tiktoken_encoder
        try:
            self._splitter = build(**settings)
        except (TypeError, ValueError, ImportError, AttributeError, OSError) as error:
            raise ConfigError(f"{self.name} refuses its settings: {error}") from error

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; what the splitter lost or altered is in the chunks' metadata (`anchoring.losses`).

        Raises
        ------
        InputError
            The splitter fails on the document.
        """
        document = encodable(text)
        try:
            made = self._splitter.split_text(document)
        except (ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
            raise InputError(f"{self.name} fails on a document of {len(text)} characters: {error}") from error
        return anchor(document, [part if isinstance(part, str) else part.page_content for part in made])


def check_sizes(name: str, build: type, settings: dict[str, Any], *, share: bool = False) -> None:
    """Refuse a size below 1 and an overlap that is not from 0 and below it, which not every library does.

    Parameters
    ----------
    name
        The adapter, for the message.
    build
        The library's class, whose own values count where the settings give none.
    settings
        What it is made with.
    share
        Whether a fraction as overlap is one of the size.

    Raises
    ------
    ConfigError
        The message names the setting.
    """
    given = {**_defaults(build), **settings}
    key = next((key for key in _SIZES if isinstance(given.get(key), int | float)), "")
    size, overlap = given.get(key, float("inf")), given.get("chunk_overlap", 0)
    if size < 1 or isinstance(size, bool):
        raise ConfigError(f"{name}: {key} must be at least 1, not {size!r}")
    if not isinstance(overlap, int | float):
        return
    if overlap < 0 or isinstance(overlap, bool):
        raise ConfigError(f"{name}: chunk_overlap must be at least 0, not {overlap!r}")
    if overlap >= (1 if share and isinstance(overlap, float) else size):
        raise ConfigError(f"{name}: chunk_overlap {overlap} must be below {key} {size}")


def _defaults(build: type) -> dict[str, Any]:
    """Give the values of a class's parameters, of the classes it comes from too, since many pass the rest on to them."""
    found: dict[str, Any] = {}
    for part in reversed(build.__mro__):
        if "__init__" in vars(part) and part is not object:
            parameters = inspect.signature(vars(part)["__init__"]).parameters.values()
            found.update({p.name: p.default for p in parameters if p.default is not p.empty})
    return found
