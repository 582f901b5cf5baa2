"""Languages of texts."""

import unicodedata

import pytest

from chunkeval.text.language import corpus_language, language, locale


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("오늘은 날씨가 좋습니다.", "ko"),
        ("React의 useState hook을 사용하면 component의 state를 관리할 수 있다.", "ko"),
        ("大韓民國의 憲法은 國民을 위한 것이다.", "ko"),
        ("Kim Gu (김구) was a Korean politician and the leader of the movement.", "en"),
        ("Plain words without function.", "en"),
        ("Der Hund und die Katze sind nicht hier.", "other"),
        ("今天天气很好，我们去公园。", "zh"),
        ("東京都は日本の首都である。", "ja"),
        ("Это русский текст.", "other"),
        ("هذا نص عربي", "other"),
        ("", "other"),
        ("12,345 … 😀", "other"),
        ("가", "ko"),
    ],
)
def test_language(text: str, wanted: str) -> None:
    assert language(text) == wanted


def test_decomposed_hangul_is_korean() -> None:
    assert language(unicodedata.normalize("NFD", "오늘은 날씨가 좋습니다.")) == "ko"


def test_locale_tells_latin_languages_apart() -> None:
    assert locale("La maison est dans la rue et le chat est avec nous.") == "fr"
    assert locale("El perro y la casa son de los niños que están en la calle.") == "es"
    assert locale("123") == "und"


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({}, "other"),
        ({"en": 1}, "en"),
        ({"ko": 5, "en": 5}, "en"),
        ({"other": 90, "ko": 5}, "other"),
        ({"ko": 9, "en": 3}, "ko"),
    ],
)
def test_corpus_language(counts: dict[str, int], wanted: str) -> None:
    assert corpus_language(counts) == wanted
