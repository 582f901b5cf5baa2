"""Korean words about analyzers that run only where they are named."""

PHRASES = {
    "name_boundaries": "경계",
    "means_boundaries": "청크가 문장·표·코드 중간에서 잘렸는지, 새 절의 제목이 안이나 끝에 있는지 봅니다. 1이면 시작과 끝이 글의 "
    "경계와 맞고, 흠이 하나 있을 때마다 곱으로 줄어듭니다.",
    "column_boundary_score": "경계 점수",
    "reason_cut_table": "표 중간에서 잘림",
    "reason_cut_code": "코드 블록 중간에서 잘림",
    "reason_heading_inside": "안에서 다른 절이 시작됨",
    "reason_heading_at_end": "제목이나 질문만 끝에 남음",
    "reason_subheading_inside": "안에 소제목이 있음",
    "reason_points_back": "앞의 글을 가리키는 말로 시작함",
    "plot_boundaries": "경계 점수 분포",
    "name_duplicates": "중복",
    "means_duplicates": "다른 청크가 이미 하는 말을 되풀이하는지 봅니다. 같은 글이 여럿이면 검색 결과의 자리를 서로 빼앗으므로, "
    "문서·순서로 보아 처음 나온 것만 남기고 나머지를 고릅니다.",
    "few_duplicates": "글자가 네 자 이상인 청크만 견줄 수 있습니다.",
    "found_duplicate": "앞에 똑같은 글이 있는 청크는 {n}개입니다(띄어 쓴 간격, 대소문자, 전각·반각, 자모 조합의 차이는 보지 않습니다).",
    "found_boilerplate": "여러 청크가 똑같이 시작하거나 끝나는 상투적인 글이 절반을 넘는 청크는 {n}개입니다.",
    "rule_fixed": "정해 둔 기준",
    "column_near_duplicate_similarity": "앞선 청크와 겹치는 비율",
    "column_earlier_copies": "앞에 있는 똑같은 청크 수",
    "column_duplicate_of": "같거나 거의 같은 청크",
    "column_duplicate_group": "중복 묶음",
    "column_competitors": "벡터가 0.9보다 가까운 청크 수",
    "column_boilerplate": "상투적인 글의 비율",
    "column_boilerplate_chunks": "그 글을 함께 쓰는 청크 수",
    "reason_boilerplate": "여러 청크에 똑같이 붙은 글이 대부분임",
    "reason_competitors": "비슷한 청크가 많아 검색에서 서로 다툼",
    "plot_duplicates": "겹치는 청크가 앞에 있는 청크와 그 비율",
    "group_more": "{ids} 그 밖에 {n}개",
}
