"""What is said of one text, in lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkeval.report.numerals import decimal, fixed, measured, score
from chunkeval.report.phrases import known, say, say_counted
from chunkeval.report.view import NOTICED
from chunkeval.report.wording import column_of, name_of, reason_of, rule_of

if TYPE_CHECKING:
    from chunkeval.assessment import Assessment
    from chunkeval.report.view import Lang
    from chunkeval.show import Against


def lines(told: Assessment, lang: Lang) -> list[str]:
    """Say all there is to say of a text: the verdict, each measure, the weakest place, what to do.

    Parameters
    ----------
    told
        As `chunkeval.judge.Judge` gives it.
    lang
        ``ko`` or ``en``.

    Returns
    -------
    list of str
        Control characters of the text are left for the caller to escape.
    """
    said = [_verdict(told, lang)]
    noticed = [code for code in told.reasons if code in NOTICED]
    if noticed:
        said.append(say(lang, "text_noticed", reasons=_listed(noticed, lang)))
    said += [_measure(one, told, lang) for one in told.measures]
    said += [
        f"  {name_of(one.analyzer, lang)}: {say(lang, 'text_cannot', why=say(lang, f'why_{one.why}'))}"
        for one in told.unmeasured
        if one.why == "no_corpus"
    ]
    said += [
        say(lang, "text_card_warning", low=decimal(one.low))
        for one in told.measures
        if one.rule == "card" and one.flagged and told.run is None
    ]
    if told.weakest is not None:
        said.append(say(lang, "text_weakest", cut=told.weakest.cut, gap=fixed(told.weakest.gap, 3)))
        said += [f"  … {told.weakest.before}", "  ----", f"  {told.weakest.after} …"]
    if told.suggestion:
        what = known(lang, f"suggestion_{told.suggestion}", told.suggestion)
        cuts = ", ".join(map(str, told.suggested_cuts))
        where = "_cuts" if cuts else "_nowhere" if told.suggestion == "split" else ""
        said.append(say(lang, f"text_suggestion{where}", what=what, cuts=cuts))
    return said


def count_line(told: Sequence[Assessment], lang: Lang) -> str:
    """Say how many of several texts are not fit."""
    return say_counted(lang, "text_count", sum(one.flagged for one in told), total=f"{len(told):,}")


def _verdict(told: Assessment, lang: Lang) -> str:
    if told.verdict == "not_fit":
        why = [code for code in told.reasons if code not in NOTICED]
        return say(lang, "text_not_fit", reasons=_listed(why, lang), severity=fixed(told.severity, 2))
    judged = {one.analyzer for one in told.measures if one.rule != "none"}
    partly = told.verdict == "fit" and any(one.analyzer in judged for one in told.unmeasured)
    return say(lang, "text_fit_partly" if partly else f"text_{told.verdict}")


def _measure(one: Against, told: Assessment, lang: Lang) -> str:
    name = column_of(one.column, lang)
    for lack in told.unmeasured:
        if lack.analyzer == one.analyzer:
            return f"  {name}: {say(lang, 'text_cannot', why=say(lang, f'why_{lack.why}'))}"
    value = f"{name}: {measured(one.value, one.column)}"
    bad = _bad(one, told.inclusive, lang)
    if bad is None:
        limit = say(lang, "text_calibrated_clean" if one.rule == "calibrated" else "text_no_limit")
        judged = f"{say(lang, 'text_bad')}; " if one.flagged else ""
    else:
        limit = say(lang, "text_bad_if", condition=bad, rule=rule_of({"rule": one.rule}, lang))
        judged = f"{say(lang, 'text_bad' if one.flagged else 'text_fine')}; "
    return f"{'!' if one.flagged else ' '} {value} — {judged}{limit}"


def _bad(one: Against, inclusive: bool, lang: Lang) -> str | None:
    if one.low is None and one.high is None:
        return None
    key = "outside" if one.low is not None and one.high is not None else "below" if one.low is not None else "above"
    low, high = score(one.low, one.column), score(one.high, one.column)
    return say(lang, f"text_{key}{'_equal' if inclusive else ''}", low=low, high=high)


def _listed(codes: Sequence[str], lang: Lang) -> str:
    return ", ".join(reason_of(code, lang) for code in codes)
