"""Encodings: found on the whole file, Korean first."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkeval.errors import SourceError
from chunkeval.loaders import load, open_source

KOREAN = [
    "배송",
    "가격은 얼마입니까",
    "서울은 대한민국의 수도이다.",
    "똠방각하 펲시콜라",
    "국가(國家)와 국민",
    "“한글” … 끝·",
]
DATA = Path(__file__).parents[2] / "../shared/data/chunk_tables"


@pytest.mark.parametrize("text", KOREAN)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp949"])
def test_small_korean_tables(text: str, encoding: str, tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.write_bytes(f"id,text,note\n1,plain ascii first,x\n2,{text},y\n3,more ascii,z\n".encode(encoding))
    opened = open_source(str(source))
    assert opened.encoding == encoding
    assert load(str(source))["text"].tolist() == ["plain ascii first", text, "more ascii"]
    assert any("read as" in note for note in opened.notes) == (encoding not in ("utf-8", "utf-8-sig"))


def test_euc_kr_is_read_as_its_superset(tmp_path: Path) -> None:
    (source := tmp_path / "t.txt").write_bytes("한국어 문서입니다.".encode("euc_kr"))
    assert open_source(str(source)).encoding == "cp949"


def test_korean_only_at_the_end_of_a_long_file(tmp_path: Path) -> None:
    rows = "".join(f"{i},plain ascii text number {i}\n" for i in range(60_000))
    (source := tmp_path / "t.csv").write_bytes(("id,text\n" + rows + "x,마지막 줄은 한국어\n").encode("cp949"))
    assert open_source(str(source)).encoding == "cp949"
    assert load(str(source))["text"].iloc[-1] == "마지막 줄은 한국어"


@pytest.mark.parametrize("shift", range(3))
def test_characters_across_the_blocks_that_are_read(shift: int, tmp_path: Path) -> None:
    text = "x" * ((1 << 20) - shift) + "가나다" * 400_000
    (source := tmp_path / "t.txt").write_bytes(text.encode())
    assert open_source(str(source)).encoding == "utf-8"
    assert load(str(source))["text"][0] == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Le café naïve coûte vingt euros, déjà payés à l’hôtel. Où est la forêt ? Très loin d’ici, là-bas."),
        (
            "gb18030",
            "北京是中华人民共和国的首都，是全国的政治中心、文化中心。这里有很多大学和研究机构，人口超过两千万。",
        ),
        ("cp932", "東京は日本の首都であり、世界最大の都市の一つである。多くの大学や企業がここにあります。"),
    ],
)
def test_other_encodings_are_not_taken_for_korean(encoding: str, text: str, tmp_path: Path) -> None:
    (source := tmp_path / "t.txt").write_bytes(text.encode(encoding))
    found = open_source(str(source)).encoding
    assert found not in (None, "utf-8", "cp949")
    if encoding != "cp1252":
        assert load(str(source))["text"][0] == text


def test_broken_utf8_is_named_and_not_guessed_at(tmp_path: Path) -> None:
    good = "id,text\n1,서울은 대한민국의 수도이다.\n2,한강이 흐른다.\n".encode()
    (source := tmp_path / "t.csv").write_bytes(good + b"3,\xff\xfe broken\n")
    with pytest.raises(
        SourceError, match=r"t\.csv: line 4: byte \d+ is not UTF-8 although .* save the file as UTF-8 again$"
    ):
        open_source(str(source))


def test_surrogates_in_utf8_become_replacement_characters(tmp_path: Path) -> None:
    (source := tmp_path / "t.csv").write_bytes(
        "id,text\n1,가\ud800나\n2,\ud83d\ude00\n".encode("utf-8", "surrogatepass")
    )
    assert open_source(str(source)).encoding == "utf-8"
    assert load(str(source))["text"].tolist() == ["가\ufffd나", "😀"]


def test_nul_bytes_are_text(tmp_path: Path) -> None:
    (source := tmp_path / "t.csv").write_bytes("id,text\n1,가\x00나\n2,\x00\n".encode())
    assert load(str(source))["text"].tolist() == ["가\x00나", "\x00"]


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the optional data folder")
def test_the_same_text_in_two_encodings() -> None:
    one, other = load(str(DATA / "12_ko_appendix_cp949.txt")), load(str(DATA / "12b_ko_appendix_utf8.txt"))
    assert one["text"].tolist() == other["text"].tolist()
    assert len(one) == 1
