"""Exact and near duplicates, their groups, boilerplate: by hand, and whatever the order and the shards."""

from __future__ import annotations

import random
import unicodedata

import numpy as np
import pytest
from corpora import duplicates_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.analyzers.banding import NEIGHBOURS, candidates
from chunkeval.analyzers.boilerplate import MANY
from chunkeval.analyzers.near import LIMIT
from chunkeval.text.shingles import shingles, signatures

KOREAN = (
    "김치는 배추를 소금에 절여 고춧가루와 젓갈로 버무린 발효 음식이다. 지역마다 넣는 젓갈이 달라 맛도 다르다. "
    "겨울을 나려고 한꺼번에 담그는 일을 김장이라 부르며, 이웃이 함께 모여 담근다."
)
OTHER = (
    "한글은 1443년에 세종이 만들었고 1446년에 반포되었다. 소리 나는 자리를 본떠 글자를 지었으며, "
    "닿소리와 홀소리를 모아 한 글자로 적는다. 유네스코는 해례본을 기록 유산으로 올렸다."
)
ENGLISH = (
    "The harbour was dredged in 1911 so that larger ships could dock beside the grain elevators. Trade doubled "
    "within a decade, and the old customs house was rebuilt in brick to hold its records safely."
)
TABLE = "| 품목 | 값 |\n|---|---|\n| 사과 | 1200 |\n| 배 | 2500 |\n| 감 | 800 |\n| 귤 | 300 |\n| 포도 | 4400 |"


@pytest.mark.parametrize(
    "copy",
    [
        KOREAN,
        unicodedata.normalize("NFD", KOREAN),
        KOREAN.replace(" ", "\n\n  "),
        f"\ufeff {KOREAN}\u3000",
        KOREAN.replace("음식", "음\u200b식"),
    ],
)
def test_the_same_text_written_otherwise_is_a_copy(copy: str) -> None:
    found = duplicates_of([KOREAN, OTHER, copy])
    assert found["earlier_copies"].tolist() == [0, 0, 1]
    assert found["duplicate_of"].tolist() == [None, None, "c00000"]
    assert found["duplicate_group"].tolist() == ["c00000", None, "c00000"]
    assert np.isnan(found["near_duplicate_similarity"][2]) and found["near_duplicate_similarity"][0] == 0


def test_case_and_width_do_not_count() -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in ENGLISH.upper())
    assert duplicates_of([ENGLISH, wide])["earlier_copies"].tolist() == [0, 1]


@pytest.mark.parametrize("one, other", [("10\u00b2 m", "102 m"), ("①번", "1번"), ("👨‍👩‍👧", "👨👩👧"), ("가", "나")])
def test_what_reads_differently_is_no_copy(one: str, other: str) -> None:
    assert duplicates_of([one, other])["earlier_copies"].tolist() == [0, 0]


def test_blank_chunks_duplicate_nothing() -> None:
    found = duplicates_of(["", " \n", "\u200b", ""])
    assert found["earlier_copies"].tolist() == [0, 0, 0, 0]
    assert found["near_duplicate_similarity"].isna().all() and found["duplicate_group"].isna().all()


def test_short_chunks_are_copies_or_nothing() -> None:
    found = duplicates_of(["네.", "네.", "예.", "👍", "👍", "👎"])
    assert found["earlier_copies"].tolist() == [0, 1, 0, 0, 1, 0]
    assert found["near_duplicate_similarity"].isna().all()


@pytest.mark.parametrize("text", [KOREAN, ENGLISH, TABLE, KOREAN.replace(" ", "")])
@pytest.mark.parametrize("change", ["a letter", "a sentence", "the order", "spaces"])
def test_nearly_the_same_is_a_near_duplicate(text: str, change: str) -> None:
    pieces = text.split("\n") if text == TABLE else [piece for piece in text.split(". ") if piece]
    join = "\n" if text == TABLE else ". "
    other = {
        "a letter": text.replace("다", "더", 1).replace("was", "is", 1),
        "a sentence": join.join([*pieces, "끝으로 한 줄을 더한다."]),
        "the order": join.join(reversed(pieces)),
        "spaces": text.replace("1", "1 ").replace("이", "이 ").replace(" the ", "the "),
    }[change]
    if other == text:
        pytest.skip("nothing to change")
    found = duplicates_of([text, OTHER, other])
    assert found["near_duplicate_similarity"][2] >= LIMIT
    assert found["duplicate_of"][2] == "c00000" and found["duplicate_group"].tolist() == ["c00000", None, "c00000"]


def test_the_first_is_first_by_document_and_position() -> None:
    found = duplicates_of(
        [KOREAN, KOREAN, KOREAN, KOREAN], doc_ids=[None, "나", "가", "가"], positions=[0, 0, 5, 2], ids=list("wxyz")
    )
    assert found["earlier_copies"].tolist() == [3, 2, 1, 0]
    assert set(found["duplicate_group"]) == {"z"}


def test_a_copy_of_a_near_duplicate_is_a_copy() -> None:
    near = KOREAN.replace("겨울", "추위")
    found = duplicates_of([KOREAN, near, near])
    assert found["earlier_copies"].tolist() == [0, 0, 1]
    assert found["duplicate_of"].tolist() == [None, "c00000", "c00001"]
    assert set(found["duplicate_group"]) == {"c00000"}


def test_many_that_are_alike_make_few_pairs() -> None:
    rng = random.Random(1)
    letters = list(KOREAN)
    texts = []
    for _ in range(2_000):
        changed = letters.copy()
        changed[rng.randrange(len(letters))] = chr(rng.randrange(0xAC00, 0xD7A4))
        texts.append("".join(changed).replace(" ", ""))
    first, second, _ = candidates(signatures(*shingles(texts)), 0.4)
    assert (first < second).all()
    assert len(first) < 40 * NEIGHBOURS * len(texts)
    found = duplicates_of(texts, shard=256, vectors=np.ones((len(texts), 4), np.float32))
    assert (found["duplicate_group"] == "c00000").all()


def test_a_footer_that_many_share_is_boilerplate() -> None:
    rng = random.Random(2)
    own = ["".join(chr(rng.randrange(0xAC00, 0xD7A4)) for _ in range(60)) for _ in range(MANY + 1)]
    footer = "저작권은 회사에 있습니다. 무단 전재와 재배포를 금합니다."
    texts = [f"{text}\n{footer}" for text in own[:MANY]]
    found = duplicates_of([*texts, own[MANY], *texts[:3]])
    assert found["boilerplate_chunks"].tolist() == [*[MANY] * MANY, 0, *[MANY] * 3]
    assert 0.2 < found["boilerplate"][0] < 0.4 and found["boilerplate"][MANY] == 0
    fewer = duplicates_of([*texts[1:], own[MANY], *texts[1:4]])
    assert not fewer["boilerplate"].any()  # copies do not make a footer common


MADE = st.lists(
    st.one_of(
        st.sampled_from(
            [KOREAN, OTHER, ENGLISH, TABLE, KOREAN.upper(), f"{KOREAN} 덧붙인 문장이다.", "", "네", "가나다라"]
        ),
        st.text(max_size=12),
    ),
    max_size=12,
)


@given(texts=MADE, data=st.data())
@settings(max_examples=60)
def test_rows_may_stand_in_any_order(texts: list[str], data: st.DataObject) -> None:
    documents = data.draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=len(texts), max_size=len(texts)))
    vectors = np.random.default_rng(len(texts)).normal(size=(len(texts), 3)).astype(np.float32)
    ids, positions = [f"c{i}" for i in range(len(texts))], list(range(len(texts)))
    order = data.draw(st.permutations(range(len(texts))))
    straight = duplicates_of(texts, doc_ids=documents, vectors=vectors, ids=ids, positions=positions)
    mixed = duplicates_of(
        [texts[i] for i in order],
        doc_ids=[documents[i] for i in order],
        vectors=vectors[list(order)],
        ids=[ids[i] for i in order],
        positions=[positions[i] for i in order],
        shard=data.draw(st.integers(1, 5)),
    )
    back = mixed.set_index("chunk_id").loc[ids].reset_index()
    for name in straight.columns if len(texts) else ():
        one, other = (table[name].astype(object).fillna("none").tolist() for table in (straight, back))
        assert one == other, name


@given(texts=MADE)
@settings(max_examples=60)
def test_groups_are_symmetric_and_their_first_is_free(texts: list[str]) -> None:
    found = duplicates_of(texts, vectors=np.ones((len(texts), 2), np.float32))
    of = dict(zip(found["chunk_id"], found["duplicate_group"], strict=True))
    flagged = (found["earlier_copies"] > 0) | (found["near_duplicate_similarity"] >= LIMIT)
    for group in of.values():
        if group is not None:
            assert of[group] == group  # the group is named after a member
            assert sum(other == group for other in of.values()) > 1
            assert not flagged[found["chunk_id"] == group].any()
    for name, other, bad in zip(found["chunk_id"], found["duplicate_of"], flagged, strict=True):
        if bad:
            assert of[name] == of[other] is not None and other < name
