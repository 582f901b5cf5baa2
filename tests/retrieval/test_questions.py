from __future__ import annotations

import csv
import doctest
import json
import unicodedata

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.errors import SourceError
from chunkeval.retrieval import placing, questions
from chunkeval.retrieval.placing import NoPlaceError, Places
from chunkeval.retrieval.questions import Question, Reference, read_questions

TEXT = "판다는 대나무를 먹는다. 하루에 열두 시간을 먹는다.\n\n곰은 겨울에 잔다👨‍👩‍👧. 판다는 자지 않는다."
DOCUMENTS = {"동물/판다.md": TEXT, "은행.md": "은행은 금리를 올렸다. 하루에 열두 시간을 먹는다."}


def spot(text: str, doc_id: str = "동물/판다.md") -> Reference:
    start = DOCUMENTS[doc_id].index(text)
    return Reference(doc_id, start, start + len(text))


def jsonl(folder, *rows, name="questions.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def asked(*references, **more):
    return {"id": "q1", "question": "무엇을 먹나?", "references": list(references), **more}


@pytest.mark.parametrize("module", [questions, placing])
def test_the_examples_hold(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "reference",
    [
        {"doc_id": "동물/판다.md", "start": 0, "end": 13},
        {"doc_id": "동물/판다.md", "start": 0, "end": 13, "text": "판다는 대나무를 먹는다."},
        {"doc_id": "판다", "text": "판다는 대나무를 먹는다."},
        {"doc_id": "판다.md", "start": 5, "end": 18, "text": "판다는 대나무를 먹는다."},
        {"text": "판다는 대나무를\n  먹는다."},
        {"text": unicodedata.normalize("NFD", "판다는 대나무를 먹는다.")},
        "판다는대나무를 먹는다.",
        {"doc_id": unicodedata.normalize("NFD", "판다"), "start": 0, "end": 13},
    ],
)
def test_a_reference_is_a_span_or_a_text_or_both(tmp_path, reference):
    found = read_questions(jsonl(tmp_path, asked(reference, answer="대나무")), DOCUMENTS)
    assert found.questions == (Question("q1", "무엇을 먹나?", (spot("판다는 대나무를 먹는다."),), "대나무"),)
    assert found.skipped == ()


def test_the_question_may_name_the_document_of_all_its_references(tmp_path):
    row = asked([0, 13], "곰은 겨울에 잔다👨‍👩‍👧.", doc_id="판다")
    (question,) = read_questions(jsonl(tmp_path, row), DOCUMENTS).questions
    assert question.references == (spot("판다는 대나무를 먹는다."), spot("곰은 겨울에 잔다👨‍👩‍👧."))
    assert question.doc_id == "동물/판다.md"


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ({"text": "펭귄은 난다."}, "'펭귄은 난다.' is not in the documents"),
        ({"doc_id": "은행", "text": "곰은 겨울에 잔다"}, "'곰은 겨울에 잔다' is not in document '은행.md'"),
        ({"text": "하루에 열두 시간을 먹는다."}, "stands in 2 places of the documents"),
        ({"doc_id": "판다", "text": "먹는다."}, "stands in 2 places of document '동물/판다.md'"),
        ({"doc_id": "호랑이", "start": 0, "end": 2}, "there is no document '호랑이'"),
        ({"doc_id": "은행", "start": 20, "end": 999}, "[20, 999) is no place in '은행.md'"),
        ({"doc_id": "은행", "start": 5, "end": 5}, "[5, 5) is no place in '은행.md'"),
        ({"start": 0, "end": 2}, "does not say of which document"),
        ({"doc_id": "은행", "text": "  "}, "has no text"),
    ],
)
def test_a_question_without_a_place_is_left_out_and_named(tmp_path, reference, why):
    path = jsonl(
        tmp_path,
        {**asked({"doc_id": "판다", "start": 0, "end": 2}, reference), "id": "bad"},
        asked([0, 2], doc_id="판다"),
    )
    found = read_questions(path, DOCUMENTS)
    assert [question.question_id for question in found.questions] == ["q1"]
    ((name, told),) = found.skipped
    assert name == "bad" and why in told
    with pytest.raises(SourceError, match=r"1 of 2 are left out: question 'bad': ") as caught:
        read_questions(path, DOCUMENTS, strict=True)
    assert caught.value.exit_code == 2


def test_no_question_left_is_an_error_that_names_both_sides(tmp_path):
    rows = [{**asked({"doc_id": "abc", "text": "x"}), "id": f"q{i}"} for i in range(5)]
    with pytest.raises(SourceError) as caught:
        read_questions(jsonl(tmp_path, *rows), DOCUMENTS)
    message = str(caught.value)
    assert "no question is left: question 'q0': there is no document 'abc'" in message
    assert "(and 2 more)" in message and "known: '동물/판다.md', '은행.md'" in message


def test_a_short_name_that_two_documents_share_means_neither(tmp_path):
    documents = {"a/글.md": "하나", "b/글.txt": "둘"}
    found = read_questions(
        jsonl(tmp_path, asked([0, 1], doc_id="a/글.md"), {**asked([0, 1], doc_id="글"), "id": "q2"}), documents
    )
    assert found.skipped == (("q2", "'글' may mean 'a/글.md' or 'b/글.txt'"),)


def test_chroma_csv(tmp_path):
    reference = {"content": "은행은 금리를 올렸다.", "start_index": 0, "end_index": 12}
    path = tmp_path / "questions.csv"
    with path.open("w", encoding="cp949", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "references", "corpus_id"])
        writer.writerow(["무엇을 올렸나?", json.dumps([reference], ensure_ascii=False), "은행"])
        writer.writerow(["언제 자나?", json.dumps([{"content": "곰은 겨울에"}], ensure_ascii=False), "판다"])
    found = read_questions(path, DOCUMENTS).questions
    assert [question.question_id for question in found] == ["1", "2"]
    assert [question.references for question in found] == [(Reference("은행.md", 0, 12),), (spot("곰은 겨울에"),)]


def squad(context, start, text="대나무", **more):
    qas = [{"id": "s1", "question": "무엇?", "answers": [{"text": text, "answer_start": start}], **more}]
    return {"version": "x", "data": [{"title": "판다", "paragraphs": [{"context": context, "qas": qas}]}]}


def test_squad_answers_are_counted_within_their_paragraph(tmp_path):
    context = "하루에 열두 시간을 먹는다."
    path = jsonl(tmp_path, squad(context, 4, "열두 시간"), name="squad.json")
    (question,) = read_questions(path, DOCUMENTS).questions
    assert question.references == (spot("열두 시간"),) and question.answer == "열두 시간"
    # The title is only where the paragraph is looked for first; an offset that is wrong is mended by the text.
    path = jsonl(tmp_path, squad("은행은 금리를 올렸다.", 0, "금리"), name="squad.json")
    (question,) = read_questions(path, DOCUMENTS).questions
    assert question.references == (spot("금리", "은행.md"),)


def test_squad_questions_without_an_answer_are_left_out(tmp_path):
    whole = squad("판다는 대나무를 먹는다.", 4)
    whole["data"][0]["paragraphs"][0]["qas"].append({"id": "s2", "question": "왜?", "answers": []})
    found = read_questions(jsonl(tmp_path, whole, name="squad.json"), DOCUMENTS)
    assert [question.question_id for question in found.questions] == ["s1"]
    assert found.skipped == (("s2", "nothing in the documents is said to answer it"),)
    with pytest.raises(SourceError, match="'data' is not as SQuAD has it"):
        read_questions(jsonl(tmp_path, {"data": [{"paragraphs": 3}]}, name="squad.json"), DOCUMENTS)


def test_autorag_parquet_refers_to_whole_documents(tmp_path):
    path = tmp_path / "qa.parquet"
    rows = {
        "qid": ["a", "b"],
        "query": ["무엇을 먹나?", "둘 다?"],
        "retrieval_gt": [[["은행", "판다"]], [["은행.md"], ["판다"]]],
        "generation_gt": [["대나무", "죽순"], ["응"]],
    }
    pd.DataFrame(rows).to_parquet(path)
    first, second = read_questions(path, DOCUMENTS).questions
    assert first.references == (Reference("은행.md", 0, len(DOCUMENTS["은행.md"])),)
    assert first.answer == "대나무"
    assert second.references == (*first.references, Reference("동물/판다.md", 0, len(TEXT)))


def test_an_empty_document_answers_nothing(tmp_path):
    path = tmp_path / "qa.parquet"
    pd.DataFrame({"qid": ["a", "b"], "query": ["?", "?"], "retrieval_gt": [[["빈"]], [["은행"]]]}).to_parquet(path)
    found = read_questions(path, {**DOCUMENTS, "빈.md": "\n"})
    assert found.skipped == (("a", "document '빈.md' has no text"),)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "?", "references": []}, "line 1: has no question among 'text', 'references'"),
        ({"question": "?"}, "line 1: has no references among 'question'"),
        ({"question": "?", "references": [3]}, "a reference is an object, a text or"),
        ({"question": "?", "references": [{"doc_id": "판다"}]}, "a reference needs start and end, or text"),
        ({"question": "?", "references": [{"text": 7}]}, "a reference's text is no text but 7"),
    ],
)
def test_other_shapes_are_refused_with_their_place(tmp_path, row, message):
    with pytest.raises(SourceError) as caught:
        read_questions(jsonl(tmp_path, row), DOCUMENTS)
    assert message in str(caught.value)


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(SourceError, match="no such file of questions"):
        read_questions(tmp_path / "none.jsonl", DOCUMENTS)
    broken = tmp_path / "broken.json"
    broken.write_text('{"data": [\n  3,,]}', "utf-8")
    with pytest.raises(SourceError, match="line 2, column 5: broken JSON"):
        read_questions(broken, DOCUMENTS)
    with pytest.raises(SourceError, match="holds no list of questions"):
        read_questions(jsonl(tmp_path, {"a": 1}, name="x.json"), DOCUMENTS)
    with pytest.raises(SourceError, match="holds no question: give at least one"):
        read_questions(jsonl(tmp_path, [], name="x.json"), DOCUMENTS)
    with pytest.raises(SourceError, match="line 2: question 'q1' is also at .*line 1: give each its own id"):
        read_questions(jsonl(tmp_path, asked([0, 1], doc_id="판다"), asked([0, 1], doc_id="판다")), DOCUMENTS)


@given(st.text("가나 \u1100\u1161a.\n😀\u200d", min_size=1, max_size=30), st.data())
def test_what_is_quoted_with_other_white_space_and_composition_is_found(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quoted = unicodedata.normalize("NFD", "  ".join(text[start:end].split()))
    try:
        place = Places({"d": text}).find(quoted)
    except NoPlaceError as error:
        assert (
            "2 places" in str(error) or "places of" in str(error) or "no text" in str(error) or start or end < len(text)
        )
        return
    plain = "".join(unicodedata.normalize("NFC", text[place.start : place.end]).split())
    assert plain == "".join(unicodedata.normalize("NFC", quoted).split())


def test_a_vowel_that_stands_alone_behind_what_was_quoted_is_left_out():
    place = Places({"d": "등대 가\u1100\u1161\u1161."}).find(unicodedata.normalize("NFD", "등대  가가"))
    assert (place.start, place.end) == (0, 6)
