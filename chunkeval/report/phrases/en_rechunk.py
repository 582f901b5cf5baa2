"""English: what is said about cutting again."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # The verdict
    "section_rechunk": "Cut again",
    "of_measured_plain": "{n} of {total} ({share})",
    "rechunk_clear": "The new cuts are clearly better than random ones: they bring severity {gain} lower.",
    "rechunk_unclear": "The new cuts bring severity {gain} lower than random ones on average, a difference that may be chance.",
    "rechunk_no_gain": "The new cuts are no better than random ones.",
    "rechunk_numbers": "The severity of the {n} chunks to split was {before} before and is {after} now; as many cuts at random sentence "
    "borders bring it to {random} on average.",
    "rechunk_unchanged": "The {n} chunks to split were left as they are: no cut made them better.",
    "rechunk_no_splits": "There was no chunk to split.",
    "judge_agrees": "Another embedder, which had no part in choosing the cuts, also finds them better than random ones.",
    "judge_leans": "Another embedder, which had no part in choosing the cuts, finds them better than random ones on average, "
    "though not clearly.",
    "judge_differs": "But another embedder, which had no part in choosing the cuts, does not find them better than random ones.",
    "rechunk_counts": "Flagged before: {before}; after: {after}.",
    "rechunk_done": "Done: {changes}.",
    "done_split": "{n} split",
    "done_move": "{n} borders moved",
    "done_move_one": "1 border moved",
    "done_merge": "{n} merged",
    "done_drop": "{n} dropped",
    "done_left": "{n} left as they were, since nothing made them better",
    "done_left_one": "1 left as it was, since nothing made it better",
    "rechunk_shifted": "First, borders inside a sentence, a table or code were shifted to the nearest end of it ({n} in all); that alone "
    "took the flagged chunks from {before} to {after}. The comparison with random cuts is of what came after.",
    "rechunk_moved_limits": "The numbers and figures of this part stand on the limits that held when the chunks were cut again. The limits "
    "were changed since; {n} chunks are flagged now.",
    # The proof
    "rechunk_proof": "The chunks to split, and the neighbours that took a part",
    "rechunk_random": "Random",
    "rechunk_random_range": "Random, min\u2013max",
    "rechunk_before": "Before",
    "rechunk_after": "After",
    "rechunk_severity": "Severity (lower is better)",
    "rechunk_flagged": "Flagged (fewer is better)",
    "rechunk_judge": "Sentence similarity to another embedder (higher is better)",
    "rechunk_boundaries": "Known section boundaries found, of {n} inside these chunks (more is better)",
    "rechunk_proof_note": "Severity goes from 0 (nothing wrong) to 1, averaged by {weighed}. Random: the same chunks cut as often at "
    "random sentence borders, {draws} times, by the same rules, which take back what makes things worse.",
    "weighed_tokens": "tokens",
    "weighed_characters": "characters (the run counted no tokens)",
    "rechunk_rounds": "The chunks were cut again in {n} rounds. The comparison with random cuts is the first round's; all "
    "other numbers compare the table before the first round with the one after the last.",
    # What became of each
    "rechunk_fates": "Before and after, by reason",
    "rechunk_fates_note": "What is flagged after is counted over the whole new table. A part with a single sentence left has no similarity "
    "to measure, and does not count as cured. A chunk with several reasons counts under each.",
    "rechunk_flagged_chunks": "Flagged chunks",
    "rechunk_became": "What became of those flagged before",
    "fate_cured": "Cured",
    "fate_not_measurable": "Not measurable any more",
    "fate_still": "Still flagged",
    "fate_dropped": "Dropped",
    "fate_taken_back": "No better, left as it was",
    "fate_left": "Not touched",
    # Two lanes a document
    "lanes": "Borders that changed, by document",
    "lanes_lead": "Documents in which chunks changed: {n}. The upper lane holds the chunks before, the lower one those after.",
    "lanes_rest": "Drawn are the {shown} with the most changes. What changed in the other {n} is in changes.jsonl.",
    "lanes_unnamed": "document without a name",
    "lanes_whole": "characters {start}\u2013{end}",
    "lanes_summed": "{end} characters, added up",
    "lanes_stretch": "Only the stretch with the most changes is drawn; changes elsewhere in this document: {n}.",
    "lanes_before": "Before \u00b7 chunks: {n}",
    "lanes_after": "After \u00b7 chunks: {n}",
    "lanes_of": "{n} of {total}",
    "lanes_alt": "{name}: its chunks in two lanes, drawn along its length. Before: {before} chunks, {bad_before} flagged; after: {after} "
    "chunks, {bad_after} flagged. Borders kept: {kept}, moved: {moved}, new: {new}, gone: {gone}. The changed chunks are in the table "
    "right below.",
    "lanes_table": "Show the changed chunks as a table",
    "lanes_did": "Done",
    "did_split": "Split",
    "did_move": "Border moved",
    "did_merge": "Merged",
    "did_drop": "Dropped",
    "lane_fine": "Not flagged",
    "lane_flagged": "Flagged",
    "lane_unmeasured": "Similarity not measurable",
    "lane_changed": "Changed chunk (bold outline)",
    "border_kept": "Border kept",
    "border_moved": "Border moved",
    "border_new": "New border",
    "border_gone": "Border gone",
}
