"""Words of languages without a tagger."""

import unicodedata

import pytest

from chunkeval.text.words import content_words


@pytest.mark.parametrize(
    ("text", "locale", "wanted"),
    [
        ("The cats don't like 3 GPT4 models, 2024!", "en", ["cats", "like", "gpt4", "models"]),
        ("Smith's co-worker", "en", ["smith", "worker"]),
        ("Der Hund und die STRASSE", "de", ["hund", "strasse"]),
        ("机器学习 AI", "zh", ["机器", "器学", "学习", "ai"]),
        ("カタカナー", "ja", ["カタ", "タカ", "カナ", "ナー"]),
        ("हिन्दी भाषा", "und", ["हिन्दी", "भाषा"]),
        ("", "en", []),
        ("a b 1 22", "en", []),
    ],
)
def test_content_words(text: str, locale: str, wanted: list[str]) -> None:
    positions, words = content_words(text, 0, len(text), locale)
    assert words == wanted
    assert positions == sorted(positions) and len(positions) == len(words)


def test_words_are_composed_and_folded() -> None:
    text = unicodedata.normalize("NFC", "ÉTÉ Straße")
    assert content_words(text, 0, len(text), "en")[1] == ["été", "strasse"]


def test_positions_are_those_of_the_text() -> None:
    text = "skip this. Café GPT"
    assert content_words(text, 11, len(text), "en") == ([11, 16], ["café", "gpt"])
