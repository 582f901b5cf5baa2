"""Limits read off labelled chunks, as the file that ``chunkeval calibrate`` writes and ``--calibration`` reads.

::

    [limit]                                 # as in a settings file
    similarity_centred = 0.031              # the bad side's limit
    token_count = "50:800"                  # LOW:HIGH, one of the two may be left out

    [head]                                  # where all columns together tell better: see `labelled_head`
    columns = ["token_count", "similarity_centred"]

    [calibration]
    schema = 1
    source = "labelled.csv"
    good = 120                              # chunks
    bad = 80

    [calibration.cannot_tell]               # score columns without a limit, and why
    topic_entropy_z = "AUROC 0.52 [0.44, 0.60]: …"

    [calibration.made_with]                 # a limit holds only for scores made with these
    embedder = "use-multilingual"
    embedder_fingerprint = "…"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval import registry
from chunkeval.errors import ConfigError
from chunkeval.given import SHORT, given_limits, score_columns
from chunkeval.head import LABELS, Head
from chunkeval.labelled_head import head_lines, read_head
from chunkeval.results import Limit
from chunkeval.settings import check

if TYPE_CHECKING:
    from chunkeval.config import ScoreConfig

SCHEMA = 1

DEPENDS: Mapping[str, str] = {
    "vectors": "embedder",
    "tokens": "tokenizer",
    "sentences": "sentences",
    "words": "morphemes",
}
"""What an analyzer needs to the setting that its scores then depend on."""


@dataclass(frozen=True)
class FromLabels:
    """What labelled chunks say about the measures of one run."""

    limits: Mapping[str, Limit]
    """Analyzer to its limit."""
    untold: Mapping[str, str] = field(default_factory=dict)
    """Analyzer whose measure the labels cannot tell by, to a note that says so."""
    head: Head | None = None
    """Judges by all columns together; its limit is that of the analyzer ``labels``."""


def made_with(settings: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, str]:
    """Say what scores were made with, of all that a limit can depend on.

    Parameters
    ----------
    settings
        Of the scores, as `config.ScoreConfig` names them.
    meta
        Of the scores' state: ``embedder``, ``embedder_fingerprint``, ``tokenizer``, ``tokenizer_fingerprint``.

    Examples
    --------
    >>> made_with({"sentences": "auto"}, {"embedder": "lsa", "embedder_fingerprint": "lsa-1"})
    {'embedder': 'lsa', 'embedder_fingerprint': 'lsa-1', 'sentences': 'auto'}
    """
    names = [name for setting in DEPENDS.values() for name in (setting, f"{setting}_fingerprint")]
    known = {**settings, **{name: value for name, value in meta.items() if value is not None}}
    return {name: str(known[name]) for name in names if known.get(name) is not None}


def from_labels(path: str, settings: Mapping[str, Any], meta: Mapping[str, Any]) -> FromLabels:
    """Read a calibration and see that it fits a run.

    Parameters
    ----------
    path
        File that ``chunkeval calibrate`` wrote, perhaps edited since.
    settings
        Of the run's scores.
    meta
        Of the run's state; ``analyzers`` names those that ran.

    Returns
    -------
    FromLabels
        Limits on the measures that ran; the file's others are left aside.

    Raises
    ------
    ConfigError
        The file cannot be read or is none of these; a limit in it is not valid; no analyzer that it has a limit for
        ran; or the run's scores were made with another embedder, tokenizer, splitter or tagger. The message names the
        place and the fix.

    Examples
    --------
    ``from_labels("calibration.toml", scores.settings, scores.state.meta).limits["similarity"].low``
    """
    facts = _read(path)
    about = facts["calibration"]
    if LABELS.column in facts["limit"]:
        raise ConfigError(f"{path}: limit.{LABELS.column}: the head's limit is head.limit, take this line out")
    ran = tuple(meta["analyzers"])
    columns = score_columns()
    wanted = {
        name: value
        for name, value in check("limit", facts["limit"], f"{path}: limit").items()
        if SHORT.get(name, name) not in columns or columns[SHORT.get(name, name)][0] in ran
    }
    if facts["limit"] and not wanted:
        raise ConfigError(
            f"{path} has limits on {', '.join(facts['limit'])}, and none of their analyzers ran (ran: {', '.join(ran)}): "
            f"add them to --analyzers or leave --calibration out"
        )
    try:
        limits = given_limits(wanted, ran)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    now = made_with(settings, meta)
    _same(path, "limit", {limit.column: name for name, limit in limits.items()}, about["made_with"], now)
    source = f"labels of {about['source']}: {about['good']} good and {about['bad']} bad chunks"
    untold = {
        columns[name][0]: f"the labels of {about['source']} cannot tell by {name} ({why}): judged as without them"
        for name, why in about["cannot_tell"].items()
        if name in columns
    }
    head = None if facts["head"] is None else read_head(path, facts["head"], ran)
    if head is not None:
        _same(path, "head", {name: columns[name][0] for name in head.columns}, about["made_with"], now)
        limits[LABELS.analyzer] = Limit(LABELS.column, "labelled", source, low=head.limit)
    limits = {name: replace(limit, rule="labelled", source=source) for name, limit in limits.items()}
    return FromLabels(limits, untold, head)


def before_scoring(path: str, config: ScoreConfig) -> tuple[str, ...]:
    """See that a calibration fits before any chunk is scored; see `from_labels`.

    An embedder that is fitted on the corpus can only be told once it is.

    Returns
    -------
    tuple of str
        What a limit can be given for: the analyzers, and ``labels`` where the calibration has a head.
    """
    from chunkeval.text import embeddings, tokens

    embedder = embeddings.load(config.embedder)
    if isinstance(embedder, embeddings.Fittable):
        headed = _read(path)["head"] is not None
        return (*config.analyzers, LABELS.analyzer) if headed else config.analyzers
    counter = tokens.load_hugging_face(config.tokenizer) if config.tokenizer else embedder
    meta = {
        "analyzers": config.analyzers,
        "embedder": embedder.name,
        "embedder_fingerprint": embedder.fingerprint,
        "tokenizer": config.tokenizer or embedder.name,
        "tokenizer_fingerprint": counter.fingerprint,
    }
    headed = from_labels(path, asdict(config), meta).head is not None
    return (*config.analyzers, LABELS.analyzer) if headed else config.analyzers


def text_of(facts: Mapping[str, Any]) -> str:
    """Write what `calibrate` found as the file that `from_labels` reads.

    Parameters
    ----------
    facts
        As `calibrate.Calibrated` holds them.

    Returns
    -------
    str
        TOML; each limit stands below the figures it was read off.
    """
    labelled, judging = facts["labelled"], {k: v for k, v in facts["columns"].items() if v["judges"]}
    said = [
        "# Limits read off labelled chunks by `chunkeval calibrate`; the figures are in the .json beside this file.",
        "# Use: chunkeval audit SOURCE --calibration THIS_FILE, or: chunkeval flag RUN --calibration THIS_FILE",
        "# A limit may be edited or taken out; the figures above it then no longer hold.",
        "",
        "[limit]",
    ]
    for name, found in judging.items():
        if found["limit"] is not None:
            said += [f"# {found['said']}", f"{_key(name)} = {_limit(found)}"]
    said += head_lines(facts["head"])
    said += ["", "[calibration]", f"schema = {SCHEMA}", f"source = {_string(labelled['source'])}"]
    said += [f"good = {labelled['good']}", f"bad = {labelled['bad']}"]
    said += ["", "[calibration.cannot_tell]"]
    untold = {**judging, LABELS.column: facts["head"]}
    said += [f"{_key(name)} = {_string(found['why'])}" for name, found in untold.items() if found["why"] is not None]
    said += ["", "[calibration.made_with]"]
    said += [f"{_key(name)} = {_string(value)}" for name, value in facts["made_with"].items()]
    return "\n".join(said) + "\n"


def _read(path: str) -> dict[str, Any]:
    fix = "give the .toml that `chunkeval calibrate` wrote"
    try:
        facts = tomllib.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise ConfigError(f"cannot read the calibration {path}: {why or error}; {fix}") from None
    about = facts.get("calibration")
    if not isinstance(about, dict) or about.get("schema") != SCHEMA:
        raise ConfigError(f"{path} has no [calibration] with schema = {SCHEMA}: {fix}")
    tables = {"limit": facts.get("limit", {}), "head": facts.get("head", {})}
    tables |= {f"calibration.{name}": about.get(name, {}) for name in ("cannot_tell", "made_with")}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {name} must be a table, not {table!r}; {fix}")
    for name, kind in (("source", str), ("good", int), ("bad", int)):
        if not isinstance(about.get(name), kind):
            raise ConfigError(f"{path}: calibration.{name} is missing or of the wrong type; {fix}")
    return {
        "limit": tables["limit"],
        "head": tables["head"] if "head" in facts else None,
        "calibration": {
            **about,
            "cannot_tell": tables["calibration.cannot_tell"],
            "made_with": tables["calibration.made_with"],
        },
    }


def _same(path: str, what: str, judged: Mapping[str, str], made: Mapping[str, Any], now: Mapping[str, str]) -> None:
    """Refuse judging columns, given with their analyzers, that other models made: another embedder first, since its tokenizer follows."""
    needs = {name: getattr(registry.find("analyzers", of), "needs", frozenset[str]()) for name, of in judged.items()}
    for need, name in DEPENDS.items():
        identity = f"{name}_fingerprint" if f"{name}_fingerprint" in {*made, *now} else name
        columns = [name for name in judged if need in needs[name]]
        if not columns or made.get(identity) == now.get(identity):
            continue
        theirs, ours = (_identified(name, facts) for facts in (made, now))
        raise ConfigError(
            f"{path}: its {what} on {' and '.join(columns)} was read off scores made with {name} {theirs}, and this run has "
            f"{ours}: take the same {name} or calibrate again with this one"
        )


def _identified(name: str, facts: Mapping[str, Any]) -> str:
    identity = facts.get(f"{name}_fingerprint")
    return repr(facts.get(name)) + (f" ({identity})" if identity is not None else "")


def _limit(found: Mapping[str, Any]) -> str:
    low, high = found["limit"]["low"], found["limit"]["high"]
    if found["side"] == "both":
        low, high = ("" if value is None else f"{value:.10g}" for value in (low, high))
        return _string(f"{low}:{high}")
    return repr(float(high if low is None else low))


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").replace("-", "").isalnum() else _string(name)


def _string(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's but for DEL, and TOML has no lone surrogates."""
    quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return quoted.encode("utf-8", "replace").decode("utf-8")
