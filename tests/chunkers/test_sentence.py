from __future__ import annotations

from chunkeval.chunkers.sentence import SentenceChunker


def texts(text: str, **settings: object) -> list[str]:
    return [chunk.text(text) for chunk in SentenceChunker(**settings).split(text)]


def test_packs_whole_sentences() -> None:
    text = "서울은 수도이다. 한강이 흐른다! 정말？그렇다。 끝이다."
    assert texts(text, size=20, unit="chars") == ["서울은 수도이다. 한강이 흐른다! ", "정말？그렇다。 끝이다."]
    assert texts(text) == [text]


def test_headings_stay_with_what_follows() -> None:
    text = "# 하나\n\n본문이다. 둘째다.\n\n## 둘\n\n본문이다.\n\n맺음\n\n마지막 문장이다."
    for size in range(14, 40):
        for part in texts(text, size=size, unit="chars"):
            assert not part.rstrip().endswith(("# 하나", "## 둘", "맺음")), (size, part)


def test_a_sentence_that_fits_only_without_its_heading_is_not_cut() -> None:
    assert texts("# 제목\n\n이 문장은 꼭 맞는다.", size=13, unit="chars") == ["# 제목\n\n", "이 문장은 꼭 맞는다."]


def test_a_heading_stays_with_the_beginning_of_a_sentence_that_is_cut_anyway() -> None:
    parts = texts("# 제목\n\n" + "이 문장은 아주 길고, 끝나지 않고, " * 5 + "끝난다.", size=30, unit="chars")
    assert parts[0].startswith("# 제목\n\n이 문장은") and parts[0].endswith(", ")


def test_overlap_repeats_whole_sentences() -> None:
    text = "A cat sat. It slept. A dog ran. It barked."
    assert texts(text, size=6, unit="words", overlap=3) == [
        "A cat sat. It slept. ",
        "It slept. A dog ran. ",
        "A dog ran. It barked.",
    ]


def test_tables_and_code_are_sentences() -> None:
    text = "글이다.\n\n| a | b |\n|---|---|\n| c. d | e |\n\n```\nx. y\n\nz\n```\n\n끝이다."
    parts = texts(text, size=40, unit="chars")
    assert any("| a | b |\n|---|---|\n| c. d | e |" in part for part in parts)
    assert any("```\nx. y\n\nz\n```" in part for part in parts)


def test_white_space_stays_with_the_sentence_before() -> None:
    assert texts("  하나다.   둘이다.\n\n\n", size=10, unit="chars") == ["  하나다.   ", "둘이다.\n\n\n"]


def test_the_default_is_a_thousand_tokens() -> None:
    chunker = SentenceChunker()
    assert (chunker.size, chunker.overlap) == (1000, 0)
    text = "서울은 대한민국의 수도이다. " * 400
    spans = [chunk.spans[0] for chunk in chunker.split(text)]
    ruler = chunker._units.ruler(text)
    sizes = [ruler.size(*span) for span in spans]
    assert all(990 <= size <= 1000 for size in sizes[:-1])
