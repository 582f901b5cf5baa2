"""Korean: what is said about one text."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    "text_fit": "청크로 알맞습니다.",
    "text_fit_partly": "잰 것으로는 청크로 알맞습니다. 재지 못한 것이 있습니다.",
    "text_not_fit": "청크로 알맞지 않습니다: {reasons} (심각도 {severity}).",
    "text_unmeasured": "청크로 알맞은지 판정할 수 없습니다.",
    "text_noticed": "눈에 띈 점: {reasons}.",
    "text_fine": "괜찮음",
    "text_bad": "걸림",
    "text_no_limit": "기준이 없어 판정하지 않음",
    "text_calibrated_clean": "이 말뭉치에서는 어떤 값도 걸리지 않음",
    "text_bad_if": "{condition}이면 걸림({rule})",
    "text_below": "{low} 미만",
    "text_above": "{high} 초과",
    "text_outside": "{low} 미만이거나 {high} 초과",
    "text_below_equal": "{low} 이하",
    "text_above_equal": "{high} 이상",
    "text_outside_equal": "{low} 이하이거나 {high} 이상",
    "text_cannot": "잴 수 없음: {why}",
    "why_blank": "비어 있음",
    "why_one_sentence": "문장이 하나뿐임",
    "why_few_words": "내용어가 5개보다 적음",
    "why_no_corpus": "말뭉치에서 배우는 것이므로 --run RUN이 있어야 함",
    "why_no_mean": "이 언어와 임베더의 평균 벡터가 없어 보정할 수 없음",
    "why_other": "값이 없음",
    "text_weakest": "이음이 가장 약한 곳: 글자 {cut}번째 앞(앞뒤 문장의 거리 {gap})",
    "text_suggestion": "권하는 조치: {what}",
    "text_suggestion_nowhere": "권하는 조치: {what} (어느 쪽에도 토막글만 남지 않게 자를 자리를 찾지 못함)",
    "text_suggestion_cuts": "권하는 조치: {what} (글자 {cuts}번째 앞에서)",
    "text_card_warning": "이 언어나 임베더에는 기본 기준이 없어 공개된 기준 {low}을 씁니다. 임베더에 따라 거의 모든 청크가 걸리기도 하니, "
    "가지고 있는 말뭉치를 audit한 뒤 --run으로 주십시오.",
    "text_count": "글 {total}개 중 {n}개가 청크로 알맞지 않습니다.",
    "text_count_zero": "글 {total}개 가운데 청크로 알맞지 않은 것은 없습니다.",
}
