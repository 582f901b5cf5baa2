"""Content words of Korean: Kiwi, and KoNLPy's taggers as the article uses them."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from chunkeval.errors import ConfigError, MissingExtraError
from chunkeval.text import morphemes
from chunkeval.text.analysis import analyse
from chunkeval.text.morphemes import tagger, whole_text_positions

konlpy = pytest.mark.skipif(find_spec("konlpy") is None, reason="the extra konlpy is not installed")

TEXT = "아버지가 방에 들어가신다. 날씨가 정말 아름답다! 3.14를 배웠다"


def test_kiwi_gives_dictionary_forms() -> None:
    assert tagger("kiwi")([TEXT, ""]) == [["아버지", "방", "들어가다", "날씨", "아름답다", "배우다"], []]


@konlpy
def test_okt_is_the_article() -> None:
    okt = tagger("okt")
    assert okt(["", " "]) == [[], []]
    from konlpy.tag import Okt

    wanted = [word for word, tag in Okt().pos(TEXT) if tag in ("Noun", "Adjective", "Verb")]
    assert okt([TEXT]) == [wanted]
    found = analyse([TEXT, "Only English here."], splitter="naive", morphemes="okt", skip=None, words=True, jobs=1)
    assert found.words == wanted
    assert found.word_offsets.tolist()[0] == 0 and found.word_offsets[-1] == len(wanted)
    per_sentence = [found.words[a:b] for a, b in zip(found.word_offsets[:-1], found.word_offsets[1:], strict=True)]
    assert "아버지" in per_sentence[0] and "날씨" in per_sentence[1]


@konlpy
@pytest.mark.parametrize("name", ["okt", "komoran", "hannanum", pytest.param("kkma", marks=pytest.mark.slow)])
def test_konlpy_taggers(name: str) -> None:
    found = tagger(name)(["아버지가 방에 들어가신다.", "가나😀\0 𠀀 \u200b 아버지", "..."])
    assert "아버지" in found[0] and "방" in found[0]
    assert "아버지" in found[1]
    assert found[2] == []


@konlpy
def test_konlpy_by_sentence() -> None:
    found = analyse([TEXT], splitter="auto", morphemes="okt", skip=None, words=True, jobs=1)
    per_sentence = [found.words[a:b] for a, b in zip(found.word_offsets[:-1], found.word_offsets[1:], strict=True)]
    assert [words[0] for words in per_sentence[:2]] == ["아버지", "날씨"]


@konlpy
def test_okt_does_not_hang_on_unspaced_text() -> None:
    assert tagger("okt")(["대한민국만세" * 300])[0]


def test_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "konlpy", None)
    monkeypatch.setattr(morphemes, "find_spec", lambda name: None)
    morphemes._engine.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'chunkeval\[konlpy\]'"):
        tagger("okt")


def test_unknown_tagger() -> None:
    with pytest.raises(ConfigError, match="did you mean 'okt'"):
        tagger("oktt")


def test_positions_walk_on() -> None:
    assert whole_text_positions("나다 가다 나다", ["나다", "없다", "나다"]) == [0, 2, 6]


def test_linear_algebra_works_once_java_runs():
    # The JVM put its stack guard where LAPACK's stack went: the process died without a word.
    script = (
        "from chunkeval.text.morphemes import tagger\n"
        "from chunkeval.text.lsa import LsaEmbedder\n"
        "assert tagger('okt')(['한국어를 처리한다'])\n"
        "texts = [f'{i}번째 문장은 {i * 7 % 13} 가지를 말한다 {chr(0xAC00 + i)}' for i in range(400)]\n"
        "print(LsaEmbedder().fit(texts, 1).encode(texts, 8).shape[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "400"), done.stderr[-500:]
