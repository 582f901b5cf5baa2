"""Why nothing could be learned, as ``summary.json`` has it in English, in the report's language."""

from __future__ import annotations

import re

from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

_KNOWN = {
    "cannot_mixes": r"(?P<n>\d+) mixes of its sentences could be measured, (?P<asked>\d+) are needed",
    "cannot_splices": r"(?P<n>\d+) splices of its sentences could be measured, (?P<asked>\d+) are needed",
    "cannot_same": r"all measured chunks have the same value",
    "cannot_alike": r"its sentences are all alike",
    "cannot_uneven": r"most chunks are of one document or few: without them (?P<chunks>\d+) chunks, (?P<mixes>\d+) mixes and "
    r"(?P<splices>\d+) splices are left to learn from, (?P<asked>\d+) of each are needed",
    "cannot_recombined": r"its sentences were not recombined",
    "cannot_bertopic": r"BERTopic needs (?P<asked>\d+) different chunks of (?P<words>\d+) content words, there are (?P<n>\d+)",
    "cannot_two_topics": r"BERTopic found no two topics in these chunks",
}


def in_words(why: str, lang: Lang) -> str:
    """Say a reason in the report's language; one that a third party brought is left as it is.

    Examples
    --------
    >>> in_words("all measured chunks have the same value", "ko"), in_words("no reason", "ko")
    ('측정한 청크의 값이 모두 같습니다', 'no reason')
    """
    for key, pattern in _KNOWN.items():
        found = re.fullmatch(pattern, why)
        if found is not None:
            return say(lang, key, **{name: whole(int(number)) for name, number in found.groupdict().items()})
    return why
