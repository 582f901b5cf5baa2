"""English: what is said about one text."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    "text_fit": "Fit to be a chunk.",
    "text_fit_partly": "Fit to be a chunk by what could be measured; not everything could.",
    "text_not_fit": "Not fit to be a chunk: {reasons} (severity {severity}).",
    "text_unmeasured": "Whether it is fit to be a chunk cannot be told.",
    "text_noticed": "Noticed: {reasons}.",
    "text_fine": "fine",
    "text_bad": "bad",
    "text_no_limit": "no limit, so it is not judged",
    "text_calibrated_clean": "no value is bad in this corpus",
    "text_bad_if": "bad {condition} ({rule})",
    "text_below": "below {low}",
    "text_above": "above {high}",
    "text_outside": "below {low} or above {high}",
    "text_below_equal": "at {low} or below",
    "text_above_equal": "at {high} or above",
    "text_outside_equal": "at {low} or below and at {high} or above",
    "text_cannot": "cannot be measured: {why}",
    "why_blank": "blank",
    "why_one_sentence": "one sentence",
    "why_few_words": "fewer than 5 content words",
    "why_no_corpus": "it is learned from a corpus, give one with --run RUN",
    "why_no_mean": "no mean vector is shipped for this language and embedder",
    "why_other": "it has no value",
    "text_weakest": "Weakest seam: before character {cut} (gap {gap})",
    "text_suggestion": "Suggestion: {what}",
    "text_suggestion_nowhere": "Suggestion: {what} (no place is known that leaves more than a scrap on either side)",
    "text_suggestion_cuts": "Suggestion: {what} (before character {cuts})",
    "text_card_warning": "No limit is shipped for this language and embedder, so the published {low} judges; with some "
    "embedders nearly every chunk is below it: audit a corpus of yours and name it with --run.",
    "text_count": "{n} of {total} texts are not fit to be chunks.",
    "text_count_one": "1 of {total} texts is not fit to be a chunk.",
    "text_count_zero": "None of {total} texts is unfit to be a chunk.",
}
