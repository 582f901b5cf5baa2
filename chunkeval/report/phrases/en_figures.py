"""English: the words in and around figures."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # Plots
    "plot_chunks": "chunks",
    "plot_mixes": "mixed chunks (for comparison)",
    "plot_splices": "spliced chunks (for comparison)",
    "plot_corpus": "this corpus",
    "plot_flagged": "beyond the limit ({n})",
    "plot_published": "beyond the published limit ({n})",
    "plot_limit": "limit {value}",
    "plot_limit_low": "lower limit {value}",
    "plot_limit_high": "upper limit {value}",
    "plot_card": "published limit {value}",
    "plot_card_low": "published lower limit {value}",
    "plot_card_high": "published upper limit {value}",
    "plot_beyond": "not shown: {what}",
    "plot_over": "{n} above {value} (largest {most})",
    "plot_under": "{n} below {value} (smallest {most})",
    "plot_empty": "Nothing could be measured",
    "plot_density": "the stronger the shade, the more chunks",
    "plot_chosen": "flagged",
    "plot_thinned": "flagged ({shown} of {n} shown)",
    "plot_rest": "others",
    "caption_curves": "The curves are chunks made by recombining this corpus\u2019 sentences across documents, "
    "scaled to the area of the bars.",
    "plot_tokens": "Token counts",
    "plot_similarity": "Sentence similarity",
    "plot_similarity_by_sentences": "Similarity against number of sentences",
    "plot_topics": "Topic entropy",
    "plot_topics_by_words": "Topic entropy against content words",
    "alt_histogram": "Histogram of {column}: {measured} measured, median {median}, middle half {q1}\u2013{q3}. {limits}",
    "alt_limit": "The limit in use is {condition}; it flags {n}.",
    "alt_no_limit": "No limit is in use.",
    "alt_curves": "The median of deliberately mixed chunks is {mixes}, of spliced ones {splices}.",
    "alt_box": "The box plot below shows the quartiles and the fences.",
    "alt_scatter": "Scatter plot of {y} (vertical) against {x} (horizontal). Flagged chunks, shown as triangles: {n}.",
    "alt_empty": "{name}: nothing could be measured, so the plot is empty.",
    # Numbers behind the figures
    "behind_summary": "Show the numbers behind this figure",
    "behind_histogram": "{column}: chunks by range (measured: {n})",
    "behind_scatter": "{y} by {x} (chunks measured: {n})",
    "behind_from": "From",
    "behind_through": "To",
    "behind_below": "Below",
    "behind_mixes": "Mixed chunks",
    "behind_splices": "Spliced chunks",
    "behind_limit": "Limit",
    "behind_here": "limit {value}",
    "behind_card_here": "published limit {value}",
    "behind_flagged": "beyond the limit",
    "behind_q1": "Q1",
    "behind_median": "Median",
    "behind_q3": "Q3",
}
