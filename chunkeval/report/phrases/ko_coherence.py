"""What the report says about coherence, in Korean."""

from __future__ import annotations

PHRASES: dict[str, str] = {
    "name_coherence": "일관성",
    "means_coherence": "여러 글을 이어 붙인 것이 아니라 이 말뭉치의 청크답게 한 가지 이야기를 할 확률입니다. 이 말뭉치의 "
    "문장을 일부러 뒤섞어 만든 청크에서 배웠고, 각 청크는 다른 문서에서 배운 것으로만 판단합니다.",
    "few_coherence": "문장이 둘 이상인 청크만 측정할 수 있습니다.",
    "column_coherence": "일관성",
    "plot_coherence": "일관성 분포",
    "reads_coherence": "일관성으로 보면, 청크의 약 {share}는 서로 다른 글을 섞어 놓은 것처럼 읽힙니다(95% 구간 {range}).",
    "why_mixed": "여러 글의 문장을 섞어 놓은 것처럼 읽힙니다: {signal}",
    "why_spliced": "두 글을 이어 붙인 것처럼 읽힙니다: {signal}",
    "signal_similarity": "문장들이 서로 비슷하지 않습니다",
    "signal_similarity_across": "어느 한 곳을 두고 앞과 뒤가 서로 비슷하지 않습니다",
    "signal_one_subject": "모든 문장에 맞는 하나의 주제가 없습니다",
    "signal_two_subjects": "한 주제보다, 어느 한 곳을 경계로 앞뒤 두 주제로 보는 편이 더 잘 맞습니다",
    "signal_shared_words": "문장들에 함께 나오는 낱말이 적습니다",
    "signal_shared_words_across": "어느 한 곳을 두고 앞과 뒤에 함께 나오는 낱말이 적습니다",
    "signal_distinct_words": "되풀이되는 낱말이 거의 없습니다",
    "plot_coherence_reliability": "확률이 맞는가",
    "reliability_said": "일관되지 않을 확률",
    "reliability_found": "추정한 실제 비율",
    "reliability_even": "둘이 같은 곳",
    "reliability_bins": "확률 구간별 청크(95% 구간 표시)",
    "reliability_chunks": "{n}개",
    "reliability_range": "확률",
    "reliability_interval": "95% 구간",
    "reliability_behind": "확률과, 다시 엮은 청크로 추정한 실제 비율",
    "alt_reliability": "청크 {n}개의 확률이 맞는지 보이는 그림. 구간마다 평균 확률과, 다시 엮은 청크로 추정한 일관되지 않은 청크의 "
    "비율을 견줍니다.",
    "false_flags": "잘못 걸린 비율",
    "false_flags_hint": "추정값, 전체 청크 기준",
    "false_flags_all": "이 말뭉치에서 배운 기준이 잘못 거는 청크는 전체의 약 {share}로 추정됩니다(허용 {allowed}).",
    "false_flags_certain": "잘못 거는 비율을 {allowed} 안으로 지키려고, 이 말뭉치에서 배운 기준은 확신이 {certainty} 이상일 때만 겁니다.",
    "another": "이 측정만의 추정값({share})으로 기준을 정했다면 {condition}인 청크 {n}개가 걸렸겠지만, "
    "실제로는 {why} 다른 기준을 썼습니다.",
    "another_share": "나쁜 청크의 비율은 말뭉치에 하나뿐이고 그 비율을 가장 잘 재는 일관성의 추정값({share})을 따르므로",
    "another_certain": "잘못 거는 비율을 {allowed} 안으로 지키려고 확신이 {certainty} 이상일 때만 걸므로",
    "another_and": ", 그리고 ",
    "rule_own": "이 측정만의 추정값으로 정한 기준",
    "could_not": "무엇이 나쁜지 이 말뭉치에서 배우지 못했습니다: {why}.",
    "cannot_mixes": "이 말뭉치의 문장을 섞어 만든 견본 가운데 측정할 수 있는 것이 {n}개뿐입니다({asked}개 이상 필요)",
    "cannot_splices": "이 말뭉치의 글을 이어 붙인 견본 가운데 측정할 수 있는 것이 {n}개뿐입니다({asked}개 이상 필요)",
    "cannot_same": "측정한 청크의 값이 모두 같습니다",
    "cannot_alike": "문장이 모두 비슷합니다",
    "cannot_uneven": "청크가 문서 한두 개에 몰려 있어, 이를 빼면 배울 것이 청크 {chunks}개, 섞은 견본 {mixes}개, 이어 붙인 "
    "견본 {splices}개만 남습니다(각각 {asked}개 이상 필요)",
    "cannot_recombined": "문장을 섞은 견본이 만들어지지 않았습니다",
    "cannot_bertopic": "내용어가 {words}개 이상인 서로 다른 청크가 {n}개뿐입니다(BERTopic에 {asked}개 이상 필요)",
    "cannot_two_topics": "BERTopic이 이 청크들에서 토픽을 두 개 이상 찾지 못했습니다",
}
