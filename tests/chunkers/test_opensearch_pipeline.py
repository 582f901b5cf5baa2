from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.chunkers.opensearch import read_pipeline, read_settings, run_pipeline
from chunkeval.errors import PipelineError


def pipeline(algorithm: dict[str, Any], field_map: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    settings = {"field_map": field_map or {"body": "out"}, "algorithm": algorithm, **more}
    return {"description": "가", "processors": [{"text_chunking": settings}]}


def chunks_of(algorithm: dict[str, Any], body: Any) -> Any:
    document = {"body": body}
    read_pipeline(pipeline(algorithm)).run(document)
    return document["out"]


def units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None), min_size=1, max_size=60), st.integers(1, 9), st.sampled_from([-1, 1, 3]))
def test_no_unit_is_lost(text: str, size: int, limit: int) -> None:
    text += "가"
    for algorithm in (
        {"fixed_char_length": {"char_limit": size, "max_chunk_limit": limit}},
        {"fixed_token_length": {"token_limit": size, "max_chunk_limit": limit}},
        {"delimiter": {"delimiter": "a", "max_chunk_limit": limit}},
    ):
        found = chunks_of(algorithm, text)
        assert b"".join(map(units, found)) == units(text)
        assert limit == -1 or len(found) <= limit


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab.", max_size=8), max_size=6), st.integers(1, 6))
def test_budget(texts: list[str], limit: int) -> None:
    found = chunks_of({"delimiter": {"delimiter": ".", "max_chunk_limit": limit}}, texts)
    assert "".join(found) == "".join(texts)
    strings = [text for text in texts if text]
    if len(strings) <= limit:
        assert len(found) <= limit
    else:
        assert len(found) >= len(strings)


def test_lines_come_out_as_they_went_in() -> None:
    line = '{"z": 1.10, "n": 123456789012345678901234567890, "e": 1E5, "body": "가. 나\\ud83d", "a": [null, true, -0.0, {}]}'
    (written,) = run_pipeline(pipeline({"delimiter": {"delimiter": "."}}), [line + "\n"])
    assert written == line[:-1] + ', "out": ["가.", " 나\\ud83d"]}'
    written.encode("utf-8")


def test_cut_pairs_are_written_as_escapes() -> None:
    (written,) = run_pipeline(pipeline({"fixed_char_length": {"char_limit": 2}}), ['{"body": "a😀b"}'])
    assert written == '{"body": "a😀b", "out": ["a\\ud83d", "\\ude00b"]}'


def test_a_lone_surrogate_delimits_within_a_pair() -> None:
    assert chunks_of({"delimiter": {"delimiter": "\ud83d"}}, "a😀b") == ["a\ud83d", "\ude00b"]


def test_lines_are_read_one_at_a_time() -> None:
    def lines() -> Any:
        yield '\ufeff{"body": "가"}'
        yield " \n"
        yield '{"body": 1}'

    written = run_pipeline(pipeline({"delimiter": {}}), lines())
    assert json.loads(next(written)) == {"body": "가", "out": ["가"]}
    with pytest.raises(PipelineError, match="line 3: field 'body' holds neither text nor objects") as caught:
        next(written)
    assert (caught.value.kind, caught.value.code) == ("document_validation", "neither_string_nor_nested:body")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: no valid JSON"),
        ("[1]", "line 1: a document must be a JSON object"),
        ('{"a": 1, "a": 2}', "line 1: key 'a' is there twice"),
        ('{"a": NaN}', "line 1: NaN is no JSON number"),
        ('{"a": ' + "[" * 100_000, "line 1: nested too deeply"),
        ('{"body": {"a": "b"}}', "line 1: field 'body' holds an object where field_map has no object"),
        ('{"body": [{"a": "b"}]}', "line 1: field 'body' holds an object where field_map has no object"),
    ],
)
def test_bad_lines_are_named(line: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        list(run_pipeline(pipeline({"delimiter": {}}), [line]))


def test_what_is_ignored_or_lost_is_told() -> None:
    told: list[str] = []
    made = run_pipeline(
        pipeline({"fixed_token_length": {"token_limt": 5}}),
        ['{"body": "!!!"}', '{"body": ["...", "가", " "]}'],
        warn=told.append,
    )
    assert [json.loads(line)["out"] for line in made] == [[], ["가"]]
    assert told == [
        "processors[0]: fixed_token_length has no parameter 'token_limt'; it is ignored",
        "2 strings have text but no token, so fixed_token_length gives no chunk of them: first in line 1, field 'body'",
    ]


def test_a_failure_may_be_ignored() -> None:
    given = pipeline({"delimiter": {}}, ignore_failure=True, tag="t", description="d")
    given["processors"].append({"text_chunking": {"field_map": {"title": "parts"}, "algorithm": {"delimiter": {}}}})
    document: dict[str, Any] = {"body": 1, "title": "가"}
    read_pipeline(given).run(document)
    assert document == {"body": 1, "title": "가", "parts": ["가"]}


def test_target_of_an_earlier_entry_is_not_counted() -> None:
    # Two strings come under field_map, one is counted: the second finds the budget as it is, not one less.
    document = {"a": "1.2.3"}
    made = read_pipeline(pipeline({"delimiter": {"delimiter": ".", "max_chunk_limit": 4}}, {"a": "b", "b": "c"}))
    made.run(document)
    assert document == {"a": "1.2.3", "b": ["1.", "2.", "3"], "c": ["1.", "2.", "3"]}


def test_nested_objects_and_targets_that_are_no_strings() -> None:
    document: dict[str, Any] = {"a": {"b": [{"c": "1.2"}, "text", {"c": None}, {}]}, "n": "x"}
    made = read_pipeline(pipeline({"delimiter": {"delimiter": "."}}, {"a": {"b": {"c": "d"}}, "n": None}))
    made.run(document)
    assert document == {
        "a": {"b": [{"c": "1.2", "d": ["1.", "2"]}, "text", {"c": None, "d": []}, {"d": []}]},
        "n": "x",
        "null": ["x"],
    }


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({}, "missing:processors"),
        ({"processors": {}}, "must_be_list:processors"),
        ({"processors": [{"set": {}}]}, "unknown_processor:set"),
        ({"processors": [], "on_failure": []}, "unsupported_parameter:on_failure"),
        ({"processors": [{"text_chunking": {}}]}, "missing:field_map"),
        ({"processors": [{"text_chunking": {"field_map": {}}}]}, "missing:algorithm"),
        ({"processors": [{"text_chunking": {"field_map": [], "algorithm": {}}}]}, "must_be_map:field_map"),
        ({"processors": [{"text_chunking": {"field_map": {}, "algorithm": "x"}}]}, "must_be_map:algorithm"),
        (pipeline({"delimiter": {}, "fixed_char_length": {}}), "multiple_algorithms"),
        (pipeline({"x": 1}), "parameters_must_be_object"),
        (pipeline({"delimiter": {"max_chunk_limit": None}}), "null_pointer:max_chunk_limit"),
        (pipeline({"delimiter": {"max_chunk_limit": 1 << 31}}), "must_be_integer:max_chunk_limit"),
        (pipeline({"delimiter": {}}, ignore_missing="true"), "must_be_boolean:ignore_missing"),
        (pipeline({"delimiter": {}}, if_="x"), "unsupported_parameter:if_"),
        (pipeline({"fixed_char_length": {"overlap_rate": 0.51}}), "overlap_rate_range"),
        (pipeline({"fixed_char_length": {"overlap_rate": None}}), "null_pointer:overlap_rate"),
        (pipeline({"fixed_char_length": {"overlap_rate": "0x1p9999"}}), "overlap_rate_range"),
        (pipeline({"fixed_char_length": {"overlap_rate": 1e400}}), "overlap_rate_range"),
        ({"processors": [{"text_chunking": {}}], "x": 1}, "missing:field_map"),
        ({"processors": [], "version": "0x1"}, "must_be_integer:version"),
    ],
)
def test_pipelines_that_cannot_be_made(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(PipelineError) as caught:
        run_pipeline(settings, [])
    assert (caught.value.kind, caught.value.code) == ("construction", code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"algorithm": {"delimiter": {}, "delimiter": {}}}', "duplicate_key:delimiter"),
        ('{"overlap_rate": NaN}', "invalid_json"),
        ("[" * 100_000, "nesting"),
        ("{", "invalid_json"),
    ],
)
def test_settings_are_read_as_strictly_as_documents(text: str, code: str) -> None:
    with pytest.raises(PipelineError) as caught:
        read_settings(text)
    assert (caught.value.kind, caught.value.code) == ("construction", code)


def test_a_version_may_be_a_string() -> None:
    read_pipeline(read_settings('{"version": "010", "processors": []}'))
