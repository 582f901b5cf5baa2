"""What the report says about coherence, in English."""

from __future__ import annotations

PHRASES: dict[str, str] = {
    "name_coherence": "Coherence",
    "means_coherence": "This is how likely a chunk is as coherent as this corpus' own chunks, rather than put together of "
    "several texts. What that looks like was learned from the corpus' own sentences, recombined; every chunk is judged "
    "by what other documents taught.",
    "few_coherence": "It takes two sentences or more.",
    "column_coherence": "coherence",
    "plot_coherence": "Coherence",
    "reads_coherence": "Judging by coherence, about {share} of the corpus reads like text put together of several texts "
    "(95% interval {range}).",
    "reads_also_coherence": "Judging by coherence, it is about {share} (95% interval {range}).",
    "why_mixed": "reads like sentences of several texts: {signal}",
    "why_spliced": "reads like two texts joined: {signal}",
    "signal_similarity": "its sentences are little like one another",
    "signal_similarity_across": "at one place, what stands before is little like what stands behind",
    "signal_one_subject": "no one subject fits all its sentences",
    "signal_two_subjects": "two subjects, one before and one behind a place, fit it better than one",
    "signal_shared_words": "its sentences share few words",
    "signal_shared_words_across": "at one place, what stands before and behind shares few words",
    "signal_distinct_words": "hardly any of its words comes back",
}
