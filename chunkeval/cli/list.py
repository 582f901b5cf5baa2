"""``chunkeval list``: what is registered."""

from __future__ import annotations

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over


@takes(also=("out",), out="Write the result to this file.")
def list_command(*, given: Given) -> None:
    """List what is registered: loaders, analyzers, embedders, chunkers, sentence splitters, taggers, presets."""
    found = registered()
    lines = []
    for kind, names in found.items():
        lines.append(kind)
        lines += [f"  {name}" + (f"  ({package})" if package != "chunkeval" else "") for name, package in names.items()]
    hand_over(found, lines, given)


def registered() -> dict[str, dict[str, str]]:
    """Kind to names to the package that brings each; ``konlpy`` for taggers that need the extra.

    Examples
    --------
    >>> registered()["taggers"]["kiwi"]
    'chunkeval'
    """
    from chunkeval import registry
    from chunkeval.config import SPLITTERS, TAGGERS
    from chunkeval.presets import PRESETS

    kinds: tuple[registry.Kind, ...] = ("loaders", "analyzers", "embedders", "chunkers")
    found = {kind: {name: entry.package for name, entry in registry.entries(kind).items()} for kind in kinds}
    return {
        **{kind: names for kind, names in found.items() if names},
        "splitters": dict.fromkeys(SPLITTERS, "chunkeval"),
        "taggers": {name: "chunkeval" if name == "kiwi" else "chunkeval[konlpy]" for name in TAGGERS},
        "presets": dict.fromkeys(PRESETS, "chunkeval"),
    }
