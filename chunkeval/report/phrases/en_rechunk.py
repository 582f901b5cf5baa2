"""English: what is said about cutting again."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # Cutting again
    "section_rechunk": "Cut again",
    "of_measured_plain": "{n} of {total} ({share})",
    "rechunk_gain": "The severity of the {n} chunks to split went from {before} to {after}. As many cuts at random sentence borders "
    "would have brought it to {random}.",
    "rechunk_no_gain": "The severity of the {n} chunks to split was {before} before and {after} after. Random sentence borders bring it "
    "to {random}, so this is no improvement.",
    "rechunk_no_splits": "There was no chunk to split.",
    "rechunk_counts": "Flagged before: {before}; after: {after}.",
    "rechunk_done": "Split: {split}; borders moved: {move}; merged: {merge}; dropped: {drop}; left as they were, since nothing made them "
    "better: {left}.",
    "rechunk_proof": "The chunks to split, before and after",
    "rechunk_before": "Before",
    "rechunk_after": "After",
    "rechunk_random": "Random cuts (min\u2013max)",
    "rechunk_severity": "Severity, by tokens",
    "rechunk_flagged": "Flagged chunks",
    "rechunk_judge": "Sentence similarity to another embedder",
    "rechunk_proof_note": "The other embedder had no part in choosing the cuts; the random cuts went through the same rules.",
    "rechunk_fates": "What became of the flagged chunks",
    "rechunk_fates_note": "A part with a single sentence left has no similarity to measure, and does not count as cured.",
    "fate_cured": "Cured",
    "fate_not_measurable": "Not measurable any more",
    "fate_still": "Still flagged",
    "fate_dropped": "Dropped",
    "fate_taken_back": "No better, left as it was",
    "fate_left": "Not touched",
}
