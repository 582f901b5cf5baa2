"""``chunkeval score``: whether texts are fit to be chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, say, visible
from chunkeval.cli.words import Word, check_words
from chunkeval.errors import ConfigError, GateError

if TYPE_CHECKING:
    from chunkeval.assessment import Assessment
    from chunkeval.report.view import Lang


@takes(
    "load",
    "judging",
    also=("embedder", "tokenizer", "context", "limit", "lang", "out", "jobs"),
    lang="Language of the answer; the corpus' or the text's own where not given.",
    out="Write the result to this file.",
    run="Run whose limits judge and whose corpus is compared with; the shipped limits where not given.",
)
def score_command(*texts: Word, given: Given) -> None:
    """Say whether texts are fit to be chunks: verdict, each measure against its limit, the weakest place, what to do.

    With --run, by the limits and topics of that corpus: what its audit would say. Without, by the limits shipped for
    the embedder and the text's language, which say nothing about length and topics.

    Parameters
    ----------
    texts
        Each the text itself; or - for standard input as one text; or a file: txt, md, html (one text each), csv, tsv,
        json, jsonl, parquet, xlsx (one a row).
    """
    if not texts:
        raise ConfigError('give a text, as in chunkeval score "…", a file, or - for standard input')
    check_words("score", texts, "A text that begins so can be piped in and named -")
    from chunkeval.judge import judge_given

    done = judge_given(texts, given.config, given.stated, given.progress())
    many = not done.single
    result = [{**one.to_dict(), "seconds": done.seconds} for one in done.told]
    hand_over(result if many else result[0], _lines(done.told, many, given.config.report.lang or done.lang), given)
    number = "1 text" if len(done.told) == 1 else f"{len(done.told):,} texts"
    say(f"loaded in {done.seconds['load']:.1f} s, scored {number} in {done.seconds['score']:.1f} s", given)
    flagged = sum(one.flagged for one in done.told)
    if given.config.judging.gate and flagged:
        are = "is" if flagged == 1 else "are"
        raise GateError(f"{flagged:,} of {number} {are} not fit to be a chunk; --gate allows none")


def _lines(told: Sequence[Assessment], many: bool, lang: Lang | None) -> Iterator[str]:
    from chunkeval.report.judge_wording import count_line, lines

    for number, one in enumerate(told):
        own: Lang = lang or ("ko" if one.language == "ko" else "en")
        if many:
            place = one.source if one.chunk_id is None else f"{one.source}, {one.chunk_id}"
            yield from ["", visible(f"[{place}]")] if number else [visible(f"[{place}]")]
        yield from map(visible, lines(one, own))
    if many:
        tongues = [one.language for one in told if one.language != "other"]
        yield from ["", count_line(told, lang or ("ko" if 2 * tongues.count("ko") > len(tongues) else "en"))]
