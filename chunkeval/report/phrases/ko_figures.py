"""Korean: the words in and around figures."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # Plots
    "plot_chunks": "청크 수",
    "plot_mixes": "뒤섞은 청크(비교용)",
    "plot_splices": "이어 붙인 청크(비교용)",
    "plot_corpus": "이 말뭉치",
    "plot_flagged": "기준 밖 {n}개",
    "plot_published": "공개된 기준 밖 {n}개",
    "plot_limit": "기준 {value}",
    "plot_limit_low": "하한 {value}",
    "plot_limit_high": "상한 {value}",
    "plot_card": "공개된 기준 {value}",
    "plot_card_low": "공개된 하한 {value}",
    "plot_card_high": "공개된 상한 {value}",
    "plot_beyond": "그림 밖: {what}",
    "plot_over": "{value} 초과 {n}개(최대 {most})",
    "plot_under": "{value} 미만 {n}개(최소 {most})",
    "plot_empty": "측정할 수 있는 청크가 없었습니다",
    "plot_density": "뚜렷할수록 청크가 많음",
    "plot_chosen": "점검 대상",
    "plot_thinned": "점검 대상({n}개 중 {shown}개만 표시)",
    "plot_rest": "나머지",
    "caption_curves": "곡선은 이 말뭉치의 문장을 문서를 넘나들며 다시 엮은 청크입니다. 넓이는 막대와 같게 맞췄습니다.",
    "plot_tokens": "토큰 수 분포",
    "plot_similarity": "문장 유사도 분포",
    "plot_similarity_by_sentences": "문장 수와 문장 유사도",
    "plot_topics": "토픽 엔트로피 분포",
    "plot_topics_by_words": "내용어 수와 토픽 엔트로피",
    "alt_histogram": "{column}의 분포를 그린 막대그래프. {measured}개를 측정했고, 가운데 값은 {median}, 가운데 "
    "절반은 {q1}~{q3}입니다. {limits}",
    "alt_limit": "사용한 기준은 {condition}이고 {n}개가 걸립니다.",
    "alt_no_limit": "사용한 기준은 없습니다.",
    "alt_curves": "일부러 뒤섞은 청크의 가운데 값은 {mixes}, 이어 붙인 청크는 {splices}입니다.",
    "alt_box": "아래 상자 그림은 사분위수와 사분위 범위를 보입니다.",
    "alt_scatter": "가로축 {x}, 세로축 {y}의 산점도. 점검 대상 {n}개는 세모로 표시했습니다.",
    "alt_empty": "{name}: 측정할 수 있는 청크가 없어 그림이 비어 있습니다.",
    # Numbers behind the figures
    "behind_summary": "그림에 쓴 수치 보기",
    "behind_histogram": "{column}: 구간별 청크 수(측정한 청크 {n}개)",
    "behind_scatter": "{x}별 {y}(측정한 청크 {n}개)",
    "behind_from": "이상",
    "behind_through": "이하",
    "behind_below": "미만",
    "behind_mixes": "뒤섞은 청크",
    "behind_splices": "이어 붙인 청크",
    "behind_limit": "기준과의 관계",
    "behind_here": "기준 {value}",
    "behind_card_here": "공개된 기준 {value}",
    "behind_flagged": "기준 밖",
    "behind_q1": "Q1",
    "behind_median": "중앙값",
    "behind_q3": "Q3",
}
