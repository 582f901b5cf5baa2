"""Korean: what is said about cutting again."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # Cutting again
    "section_rechunk": "다시 자른 결과",
    "of_measured_plain": "{total}개 중 {n}개({share})",
    "rechunk_gain": "나눠야 했던 청크 {n}개의 심각도는 다시 자르기 전 {before}에서 {after}로 "
    "낮아졌습니다. 같은 수만큼 아무 문장 경계에서나 잘랐다면 {random}입니다.",
    "rechunk_no_gain": "나눠야 했던 청크 {n}개의 심각도는 다시 자르기 전 {before}, 자른 뒤 {after}입니다. 아무 문장 "
    "경계에서나 잘라도 {random}이므로, 나아졌다고 할 수 없습니다.",
    "rechunk_no_splits": "나눠야 할 청크가 없었습니다.",
    "rechunk_counts": "점검 대상은 {before}에서 {after}로 바뀌었습니다.",
    "rechunk_done": "나눈 청크 {split}개, 경계를 옮긴 곳 {move}군데, 합친 곳 {merge}군데, 뺀 청크 {drop}개이고, "
    "나아지지 않아 그대로 둔 청크는 {left}개입니다.",
    "rechunk_proof": "나눠야 했던 청크의 앞뒤",
    "rechunk_before": "전",
    "rechunk_after": "뒤",
    "rechunk_random": "아무 데나 잘랐을 때(최소~최대)",
    "rechunk_severity": "심각도(토큰 가중)",
    "rechunk_flagged": "점검 대상인 청크",
    "rechunk_judge": "다른 임베더로 잰 문장 유사도",
    "rechunk_proof_note": "자를 곳을 고르는 데 쓰지 않은 임베더로도 재고, 같은 규칙으로 아무 문장 경계에서나 잘라 본 결과와 견주었습니다.",
    "rechunk_fates": "점검 대상이던 청크는 어떻게 되었나",
    "rechunk_fates_note": "나눈 조각에 문장이 하나만 남아 유사도를 잴 수 없으면 나아진 것으로 치지 않습니다.",
    "fate_cured": "나아짐",
    "fate_not_measurable": "더는 잴 수 없음",
    "fate_still": "아직 점검 대상",
    "fate_dropped": "뺌",
    "fate_taken_back": "나아지지 않아 그대로 둠",
    "fate_left": "손대지 않음",
}
