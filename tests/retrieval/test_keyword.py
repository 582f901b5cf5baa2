"""Scores of keyword search, worked out by hand, and against a plain loop."""

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval.keyword import folded, search, terms
from chunkeval.retrieval.queries import keywords_of

APART = unicodedata.normalize("NFD", "상대성이론")

CASES = [
    # text, keywords, score: occurrences × length, added up
    ("아인슈타인은 1905년 특수 상대성이론을 발표했다.", ["상대성이론", "1905"], 5 + 4),
    ("이후 1915년 일반 상대성이론으로 확장되었다.", ["상대성이론", "1905"], 5),
    ("상대성이론과 상대성이론", ["상대성이론"], 10),
    (f"{APART}과 상대성이론", ["상대성이론"], 10),
    ("상대성이론", [APART], 5),
    ("상대성이론", ["상대성이론", APART], 5),
    (unicodedata.normalize("NFD", "각"), ["가"], 0),
    ("김치찌개에 김치를 넣는다", ["김치"], 4),
    ("김치찌개에 김치를 넣는다", ["김치", "김치찌개"], 4 + 4),
    ("아아아", ["아아"], 2),
    ("아아아아", ["아아"], 4),
    ("가나가나가", ["가나가"], 3),
    ("하하하하하", ["하"], 5),
    ("띄어쓰기없이이어쓴긴문장", ["이어"], 2),
    ("ＡＢＣ주식회사", ["ABC"], 0),
    ("ＡＢＣ주식회사", ["ａｂｃ"], 3),
    ("Kimchi, kimchi and KIMCHI", ["kimchi"], 18),
    ("Kimchi, kimchi and KIMCHI", ["Kimchi", "KIMCHI"], 18),
    ("STRASSE und Straße", ["straße"], 14),
    ("aaaa", ["aa"], 4),
    ("banana", ["ana"], 3),
    ("the cat sat on the mat", ["the", "at"], 6 + 6),
    ("a New York minute in New  York", ["new york"], 8),
    ("3.14 and 3141", ["3.14"], 4),
    ("v1.2.3", ["1.2", "2.3"], 3 + 3),
    ("C++ (and c++)", ["C++"], 6),
    ("가족 👩‍👩‍👧 사진", ["👩‍👩‍👧"], 5),
    ("caf\u00e9 cafe\u0301", ["café"], 8),
    ("nothing of that kind", ["김치"], 0),
    ("", ["김치"], 0),
    ("줄을\n넘는 말", ["을\n넘"], 3),
    ("İstanbul", ["i̇stanbul"], 9),
]


@pytest.mark.parametrize(("text", "keywords", "score"), CASES)
def test_score_by_hand(text, keywords, score):
    found = search([folded(text)], [keywords], 5)
    assert found.scores.tolist() == ([[score]] if score else [[]])


def test_weights_by_hand():
    texts = [folded(text) for text in ("서울 Seoul", "서울", "부산", "부산")]

    def scores(weight):
        found = search(texts, [["서울", "Seoul"]], 5, weight)
        return dict(zip(found.rows[0].tolist(), found.scores[0].tolist(), strict=True))

    assert scores("chars") == {0: 7, 1: 2}
    assert scores("bytes") == {0: 11, 1: 6}
    assert scores("idf") == {0: round(math.log(1 + 4 / 2) + math.log(1 + 4 / 1), 6), 1: round(math.log(3), 6)}


def test_equal_scores_come_in_table_order_and_zeros_do_not_come():
    texts = [folded(text) for text in ("없다", "김치", "밥", "김치 김치", "김치")]
    found = search(texts, [["김치"], ["국"], ["밥"]], 2)
    assert found.rows.tolist() == [[3, 1], [-1, -1], [2, -1]]
    assert found.scores.tolist() == [[4, 2], [0, 0], [1, 0]]


@pytest.mark.parametrize("keywords", [[""], [" "], ["김치", "\u3000"]])
def test_an_empty_keyword_is_refused(keywords):
    with pytest.raises(ValueError, match="empty"):
        terms(keywords)


LETTERS = st.text(st.sampled_from("가각나ᄀ" + "ᅡaAßÉé̇ .3"), max_size=12)


@given(st.lists(LETTERS, max_size=6), st.lists(st.lists(LETTERS.filter(str.strip), max_size=4), min_size=1, max_size=3))
def test_many_queries_are_as_a_plain_loop(texts, queries):
    def plain(text):
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())

    found = search([folded(text) for text in texts], queries, 4)
    for number, keywords in enumerate(queries):
        scores = [
            (-sum(plain(text).count(word) * len(word) for word in set(map(plain, keywords))), row)
            for row, text in enumerate(texts)
        ]
        best = [(row, -score) for score, row in sorted(scores) if score][:4]
        got = zip(found.rows[number].tolist(), found.scores[number].tolist(), strict=True)
        assert [pair for pair in got if pair[0] >= 0] == best


def test_keywords_of_a_question():
    asked = ["임종석이 여의도 시위를 주도한 2009년 사건은?", "뭐?", "", "🙂", "How tall is Mount Everest?"]
    assert keywords_of(asked) == [
        ["임종석", "여의도", "시위", "주도", "2009", "사건"],
        ["뭐"],
        [],
        [],
        ["tall", "mount", "everest"],
    ]
    decomposed = unicodedata.normalize("NFD", asked[0])
    assert keywords_of([decomposed]) == keywords_of(asked[:1])
