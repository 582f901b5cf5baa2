"""Korean: what is said about cutting again."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # The verdict
    "section_rechunk": "다시 자른 결과",
    "of_measured_plain": "{total}개 중 {n}개({share})",
    "rechunk_clear": "다시 자른 결과는 무작위로 자를 때보다 분명히 낫습니다. 심각도가 {gain}만큼 더 낮습니다.",
    "rechunk_unclear": "다시 자른 결과는 무작위로 자를 때보다 평균 {gain}만큼 심각도가 낮지만, 우연히 날 수 있는 차이입니다.",
    "rechunk_no_gain": "다시 자른 결과는 무작위로 자를 때보다 낫지 않습니다.",
    "rechunk_numbers": "나눠야 했던 청크 {n}개의 심각도는 자르기 전 {before}, 다시 자른 뒤 {after}이고, 같은 수만큼 아무 문장 "
    "경계에서나 잘랐을 때는 평균 {random}입니다.",
    "rechunk_unchanged": "나눠야 했던 청크 {n}개를 그대로 두었습니다. 어떻게 잘라도 나아지지 않았습니다.",
    "rechunk_no_splits": "나눠야 할 청크가 없었습니다.",
    "judge_agrees": "자를 곳을 고르는 데 쓰지 않은 다른 임베더로 재어도 무작위로 자를 때보다 낫습니다.",
    "judge_leans": "자를 곳을 고르는 데 쓰지 않은 다른 임베더로 재어도 무작위 평균보다 낫지만, 뚜렷하지는 않습니다.",
    "judge_differs": "그러나 자를 곳을 고르는 데 쓰지 않은 다른 임베더로 재면 무작위로 자를 때보다 낫지 않습니다.",
    "rechunk_counts": "점검 대상은 {before}에서 {after}로 바뀌었습니다.",
    "rechunk_done": "한 일: {changes}.",
    "done_split": "나눈 청크 {n}개",
    "done_move": "경계를 옮긴 곳 {n}군데",
    "done_merge": "합친 곳 {n}군데",
    "done_drop": "뺀 청크 {n}개",
    "done_left": "나아지지 않아 그대로 둔 청크 {n}개",
    "rechunk_shifted": "먼저 문장이나 표, 코드 중간에 있던 경계 {n}곳을 가장 가까운 끝으로 옮겼고, 그것만으로 점검 대상이 {before}개에서 "
    "{after}개가 되었습니다. 무작위와 비교한 수치는 그 뒤의 것입니다.",
    "rechunk_moved_limits": "이 부분의 수치와 그림은 다시 자를 때의 기준으로 판정한 것입니다. "
    "그 뒤에 기준이 바뀌어, 지금 점검 대상은 {n}개입니다.",
    # The proof
    "rechunk_proof": "나눠야 했던 청크와 그 이웃",
    "rechunk_random": "무작위",
    "rechunk_random_range": "무작위 최소~최대",
    "rechunk_before": "자르기 전",
    "rechunk_after": "다시 자른 뒤",
    "rechunk_severity": "심각도(낮을수록 좋음)",
    "rechunk_flagged": "점검 대상(적을수록 좋음)",
    "rechunk_judge": "다른 임베더의 문장 유사도(높을수록 좋음)",
    "rechunk_boundaries": "이 청크들 안에 있는 실제 단락 경계 {n}곳 중 찾은 곳(많을수록 좋음)",
    "rechunk_proof_note": "심각도는 0(문제없음)에서 1까지이며 {weighed} 가중해 평균했습니다. 무작위는 같은 청크를 같은 수만큼 "
    "아무 문장 경계에서나 자르고, 나빠지면 되돌리는 규칙까지 똑같이 적용해 {draws}번 되풀이한 것입니다.",
    "weighed_tokens": "토큰 수로",
    "weighed_characters": "(토큰을 세지 않은 실행이라) 글자 수로",
    "rechunk_rounds": "{n}차례에 걸쳐 다시 잘랐습니다. 무작위와 비교한 수치는 첫 차례의 것이고, "
    "나머지는 모두 첫 차례 전의 표와 마지막 표를 견준 것입니다.",
    # What became of each
    "rechunk_fates": "이유별로 본 자르기 전과 뒤",
    "rechunk_fates_note": "다시 자른 뒤의 수는 새 표 전체에서 센 것입니다. 나눈 조각에 문장이 하나만 남아 유사도를 잴 수 없으면 "
    "나아진 것으로 치지 않습니다. 이유가 여럿인 청크는 이유마다 셉니다.",
    "rechunk_flagged_chunks": "점검 대상 청크",
    "rechunk_became": "자르기 전 점검 대상이 어떻게 되었나",
    "fate_cured": "나아짐",
    "fate_not_measurable": "더는 잴 수 없음",
    "fate_still": "아직 점검 대상",
    "fate_dropped": "뺌",
    "fate_taken_back": "나아지지 않아 그대로 둠",
    "fate_left": "손대지 않음",
    # Two lanes a document
    "lanes": "문서별로 본 바뀐 경계",
    "lanes_lead": "문서 {n}개에서 청크가 바뀌었습니다. 위 줄은 자르기 전, 아래 줄은 다시 자른 뒤의 청크입니다.",
    "lanes_rest": "많이 바뀐 순서로 {shown}개만 그렸습니다. 나머지 {n}개에서 바뀐 것은 changes.jsonl에 있습니다.",
    "lanes_unnamed": "문서 이름 없음",
    "lanes_whole": "{start}~{end}번째 글자",
    "lanes_summed": "글자 수로 더한 길이 {end}",
    "lanes_stretch": "가장 많이 바뀐 부분만 그렸습니다. 다른 곳에서 바뀐 것이 {n}군데 더 있습니다.",
    "lanes_before": "자르기 전 · 청크 {n}개",
    "lanes_after": "다시 자른 뒤 · 청크 {n}개",
    "lanes_of": "{n}개(전체 {total}개)",
    "lanes_alt": "{name}: 청크를 문서 길이에 맞추어 두 줄로 그림. 자르기 전 {before}개 중 점검 대상 {bad_before}개, 다시 자른 뒤 "
    "{after}개 중 점검 대상 {bad_after}개. 그대로인 경계 {kept}, 옮긴 경계 {moved}, 새 경계 {new}, 없어진 경계 {gone}. "
    "바뀐 청크는 바로 아래 표에 있음.",
    "lanes_table": "바뀐 청크를 표로 보기",
    "lanes_did": "한 일",
    "did_split": "나눔",
    "did_move": "경계 옮김",
    "did_merge": "합침",
    "did_drop": "뺌",
    "lane_fine": "점검 대상 아님",
    "lane_flagged": "점검 대상",
    "lane_unmeasured": "유사도를 잴 수 없음",
    "lane_changed": "바뀐 청크(굵은 테두리)",
    "border_kept": "그대로인 경계",
    "border_moved": "옮긴 경계",
    "border_new": "새 경계",
    "border_gone": "없어진 경계",
}
