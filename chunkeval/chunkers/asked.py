"""What a language model was asked, what it took and how much fell back, in lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

REASONS = 5
"""Reasons that are named: a server's own words may differ each time."""


def in_vain(asked: Mapping[str, Any] | None) -> bool:
    """Whether a model was asked, and most of what came of it is not its doing.

    That is where its fallback cut more than half of the characters, or more than half of the questions had no reply of
    use: where those leave sentences as they stand, nothing falls back.

    Parameters
    ----------
    asked
        As `chunkers.base.AsksModel.report` gives it.

    Examples
    --------
    >>> in_vain({"questions": 9, "failed": {"questions": 1}, "fell_back": {"share": 0.012}})
    False
    >>> in_vain({"questions": 9, "failed": {"questions": 5}, "fell_back": {"share": 0.0}})
    True
    """
    if asked is None:
        return False
    vain: bool = asked["fell_back"]["share"] > 0.5 or 2 * asked["failed"]["questions"] > asked["questions"]
    return vain


def asked_lines(asked: Mapping[str, Any] | None) -> list[str]:
    r"""Say what came of asking; nothing where no model was asked.

    Parameters
    ----------
    asked
        As `chunkers.base.AsksModel.report` gives it.

    Examples
    --------
    >>> failed = {"questions": 1, "why": {"numbers left out": 1}, "lost": None}
    >>> fell_back = {"to": "recursive", "characters": 120, "share": 0.012}
    >>> report = {"model": "m", "questions": 9, "repaired": 2, "failed": failed, "fell_back": fell_back, "usage": {}}
    >>> print("\n".join(asked_lines(report)))
    asked m 9 questions, 2 of them twice with use
    no reply of use to 1 of 9 questions: numbers left out (1)
    cut by the recursive chunker instead: 1.2 % of the characters (120)
    """
    if asked is None:
        return []
    from chunkeval.llm.account import Usage

    failed, fell_back = asked["failed"], asked["fell_back"]
    repaired = f", {asked['repaired']:,} of them twice with use" if asked["repaired"] else ""
    used = f": {Usage(**asked['usage'])}" if asked["usage"] else ""
    lines = [f"asked {asked['model']} {asked['questions']:,} questions{repaired}{used}"]
    if failed["questions"]:
        named = list(failed["why"].items())
        more = [("other reasons", sum(count for _, count in named[REASONS:]))] if len(named) > REASONS else []
        why = ", ".join(f"{reason} ({count:,})" for reason, count in [*named[:REASONS], *more])
        lines.append(f"no reply of use to {failed['questions']:,} of {asked['questions']:,} questions: {why}")
    if failed["lost"] is not None:
        lines.append(f"warning: {failed['lost']}")
    if fell_back["characters"]:
        share, size = 100 * fell_back["share"], fell_back["characters"]
        lines.append(f"cut by the {fell_back['to']} chunker instead: {share:.1f} % of the characters ({size:,})")
    return lines
