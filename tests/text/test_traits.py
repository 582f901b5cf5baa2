"""Traits of texts, above all what must not be taken for one."""

import pytest

from chunkeval.text.traits import BIT, traits_of


def names(text: str) -> set[str]:
    return {name for name, bit in BIT.items() if traits_of(text) & bit}


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\u200b\u200d\u2060", "\u3164", "\u3000"])
def test_blank(text: str) -> None:
    assert names(text) == {"blank"}


def test_marks_and_emoji_show() -> None:
    assert names("...") == names("😀") == names("가") == set()


def test_nul_and_replacement() -> None:
    assert names("가\0나") == {"nul_bytes"}
    assert names("\0") == {"blank", "nul_bytes"}
    assert names("안�하세요") == {"replacement_chars"}


def misread(text: str, wrong: str, right: str = "utf-8") -> str:
    return text.encode(right).decode(wrong, "replace")


@pytest.mark.parametrize(
    "text",
    [
        misread("안녕하세요. 반갑습니다.", "latin-1"),
        "ì•ˆë…•í•˜ì„¸ìš”",
        misread("안녕하세요, 오늘은 날씨가 좋습니다.", "cp949"),
        misread("안녕하세요", "latin-1", "cp949"),
        "caf" + misread("é", "latin-1") + " au lait",
        "It" + misread("’", "cp1252") + "s here",
        "20" + misread("°", "latin-1") + "C",
        misread("日本語のテキスト", "latin-1"),
        "Ã©tait",
        "ï»¿first column",
        "ï¿½ï¿½",
        "占쏙옙 占쏙옙",
    ],
)
def test_mojibake(text: str) -> None:
    assert "mojibake" in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "NÃO HÁ SOLUÇÃO PARA A NAÇÃO. AMANHÃ” disse. IRMÃ… “AMANHû",
        "« Il était là, à Noël, dans la forêt… » dit-elle. «café…» – voilà",
        "Größe, Übergröße, „Äpfel“, Straße – schön‚",
        "ÂNGULO, Â, TRÂNSITO; l’âme, “pâté”…",
        "어쨌든 그는 어쨌거나 갔다. 첫째, 둘째. 뷁",
        "물가는 3°C, £20, ©2024, ½컵, ¿Qué? ¡Sí! «Año»",
        "占星術과 占卜은 다르다.",
        "Đây là tiếng Việt có dấu: ằ, ẫ, Ã, Â, à í ò",
        "ÀÉÈ ÇÃÕ",
        "大韓民國, 日本語、汉字。",
    ],
)
def test_no_false_mojibake(text: str) -> None:
    assert names(text) == set()


@pytest.mark.parametrize(
    "text", ["가" * 200, "앞 " + "오늘은날씨가좋습니다." * 30, "a" * 250, "말 " * 10 + "Donaudampf" * 30]
)
def test_no_spaces(text: str) -> None:
    assert names(text) == {"no_spaces"}


@pytest.mark.parametrize(
    "text", ["日本語の文章には空白がない。" * 40, "中文没有空格。" * 60, "-" * 400, "가나 " * 100, "a" * 199]
)
def test_spaces_are_not_missed(text: str) -> None:
    assert names(text) == set()
