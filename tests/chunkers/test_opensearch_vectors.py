from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from vectors import cases, skip_without

from chunkeval.chunkers.opensearch import DEPTH_LIMIT, MAX_TOKEN_COUNT, Pipeline, read_pipeline, run_pipeline
from chunkeval.errors import PipelineError

VECTORS = "opensearch_text_chunking.json"
CASES = cases(VECTORS)

pytestmark = skip_without(VECTORS)


def pipeline_of(case: dict[str, Any]) -> dict[str, Any]:
    if case["algorithm"] == "pipeline":
        settings = case["params"]
    else:
        algorithm = case.get("raw_algorithm", {case["algorithm"]: case["params"]})
        settings = [{"field_map": case.get("field_map", {"body": "body_chunk"}), "algorithm": algorithm}]
        if "ignore_missing" in case:
            settings[0]["ignore_missing"] = case["ignore_missing"]
    return {"description": case["description"], "processors": [{"text_chunking": one} for one in settings]}


def result_of(case: dict[str, Any]) -> Any:
    made: Pipeline = read_pipeline(pipeline_of(case))
    whole = not isinstance(case["input"], str)
    document = copy.deepcopy(case["input"]) if whole else {"body": case["input"]}
    made.run(
        document,
        max_token_count=case.get("max_token_count", MAX_TOKEN_COUNT),
        depth_limit=case.get("depth_limit", DEPTH_LIMIT),
    )
    return document if whole else document["body_chunk"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}")
def test_vector(case: dict[str, Any]) -> None:
    needs_java = "thai" in json.dumps(case["params"])
    if needs_java:
        pytest.importorskip("jpype")
    if "error" in case:
        with pytest.raises(PipelineError) as caught:
            result_of(case)
        assert {"kind": caught.value.kind, "code": caught.value.code} == case["error"]
    else:
        result = result_of(case)
        assert result == case["expected"]
        if isinstance(result, dict):
            assert list(result) == list(case["expected"])


@pytest.mark.parametrize("case", [case for case in CASES if "error" not in case], ids=lambda case: f"{case['id']}")
def test_vector_as_lines(case: dict[str, Any]) -> None:
    if "thai" in json.dumps(case["params"]):
        pytest.importorskip("jpype")
    whole = not isinstance(case["input"], str)
    document = case["input"] if whole else {"body": case["input"]}
    expected = case["expected"] if whole else {"body": case["input"], "body_chunk": case["expected"]}
    limit = case.get("max_token_count", MAX_TOKEN_COUNT)
    (line,) = run_pipeline(pipeline_of(case), [json.dumps(document)], max_token_count=limit)
    assert json.loads(line) == expected
    line.encode("utf-8")
