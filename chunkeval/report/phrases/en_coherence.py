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
    "why_mixed": "reads like sentences of several texts: {signal}",
    "why_spliced": "reads like two texts joined: {signal}",
    "signal_similarity": "its sentences are little like one another",
    "signal_similarity_across": "at one place, what stands before is little like what stands behind",
    "signal_one_subject": "no one subject fits all its sentences",
    "signal_two_subjects": "two subjects, one before and one behind a place, fit it better than one",
    "signal_shared_words": "its sentences share few words",
    "signal_shared_words_across": "at one place, what stands before and behind shares few words",
    "signal_distinct_words": "hardly any of its words comes back",
    "plot_coherence_reliability": "Is the probability right?",
    "reliability_said": "probability of being incoherent",
    "reliability_found": "estimated share that is",
    "reliability_even": "where both are one",
    "reliability_bins": "chunks by probability, with 95% intervals",
    "reliability_chunks": "{n} chunks",
    "reliability_range": "Probability",
    "reliability_interval": "95% interval",
    "reliability_behind": "Probability against the share that recombined chunks speak for",
    "alt_reliability": "Reliability of the probability of {n} chunks: the mean probability in each range against the share of "
    "incoherent chunks that the recombined ones speak for.",
    "false_flags": "Flagged wrongly",
    "false_flags_hint": "estimated, of all chunks",
    "false_flags_all": "Of all chunks, limits learned here flag about {share} wrongly, going by the recombined chunks "
    "(allowed: {allowed}).",
    "false_flags_certain": "To stay within {allowed} wrong flags, limits learned here flag only from a certainty of {certainty} on.",
    "another": "By itself, from its own estimate of {share}, this measure would flag {n} for {condition}; the limit in use is another, "
    "because {why}.",
    "another_share": "a corpus has one share of bad chunks and coherence tells it best, at {share}",
    "another_certain": "it flags only from a certainty of {certainty} on, to stay within {allowed} wrong flags",
    "another_and": ", and ",
    "rule_own": "limit by this measure's own estimate",
    "could_not": "What is bad could not be learned from this corpus: {why}.",
    "cannot_mixes": "mixes of its sentences that could be measured: {n}, and it takes {asked}",
    "cannot_splices": "splices of its sentences that could be measured: {n}, and it takes {asked}",
    "cannot_same": "all measured chunks have the same value",
    "cannot_alike": "its sentences are all alike",
    "cannot_uneven": "most chunks are of one document or few: what is left to learn from without them, of chunks {chunks}, of mixes "
    "{mixes}, of splices {splices}, and it takes {asked} of each",
    "cannot_recombined": "its sentences were not recombined",
    "cannot_bertopic": "BERTopic needs {asked} different chunks of {words} content words; found: {n}",
    "cannot_two_topics": "BERTopic found no two topics in these chunks",
}
