"""English words about analyzers that run only where they are named."""

PHRASES = {
    "name_boundaries": "Boundaries",
    "means_boundaries": "This looks at whether a chunk was cut inside a sentence, table or code block, and whether a new section's "
    "heading lies inside it or at its end. 1 means that it begins and ends where the text does; each fault takes a factor off.",
    "column_boundary_score": "boundary score",
    "reason_cut_table": "cut inside a table",
    "reason_cut_code": "cut inside a code block",
    "reason_heading_inside": "another section begins inside it",
    "reason_heading_at_end": "a heading or question is left behind at its end",
    "reason_subheading_inside": "has subheadings",
    "reason_points_back": "opens with words that point back",
    "plot_boundaries": "Boundary score",
    "name_duplicates": "Duplicates",
    "means_duplicates": "This looks for chunks that say what another one says already. Copies take each other's place among "
    "the results of a search, so all but the first, by document and position, are picked out.",
    "few_duplicates": "It takes four characters or more.",
    "found_duplicate": "Chunks whose text stands earlier word for word: {n} (spacing, case, full-width forms and composition "
    "aside).",
    "found_boilerplate": "Chunks of which more than half is an opening or closing that many others share: {n}.",
    "rule_fixed": "fixed limit",
    "column_near_duplicate_similarity": "overlap with an earlier chunk",
    "column_earlier_copies": "earlier chunks with the same text",
    "column_duplicate_of": "same or nearly the same as",
    "column_duplicate_group": "group of duplicates",
    "column_competitors": "chunks nearer than 0.9 in vectors",
    "column_boilerplate": "share of boilerplate",
    "column_boilerplate_chunks": "chunks with the same boilerplate",
    "reason_boilerplate": "mostly text that many chunks share",
    "reason_competitors": "competes with many similar chunks",
    "plot_duplicates": "Chunks that overlap with an earlier one, and how far",
    "name_labels": "Labels",
    "means_labels": "Chunks that a person called good or bad taught how to weigh all scores together; this is the probability that a "
    "chunk is good, were there as many good ones as bad. A score that was not measured counts as the good chunks' mean.",
    "few_labels": "It takes one of the scores that it weighs.",
    "column_label_probability": "probability of being good",
    "reason_like_bad": "like the chunks labelled bad",
    "plot_labels": "Probability of being good",
    "group_more": "{ids} and {n} more",
}
