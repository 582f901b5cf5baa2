"""Settings that no chunker takes: each is an error when it is made."""

from __future__ import annotations

import inspect

import pytest
from made_replies import answered

from chunkeval import registry
from chunkeval.chunkers.spec import make, parse
from chunkeval.errors import ConfigError

REFUSED = {
    "recursive": [
        "recursive:size=0",
        "recursive:size=-1",
        "recursive:size=1.5",
        "recursive:size=true",
        "recursive:size=10,overlap=10",
        "recursive:size=10,overlap=-1",
        "recursive:size=10,overlap=11,compat=langchain",
        "recursive:unit=char",
        "recursive:kind=md",
        "recursive:compat=chonkie",
        "recursive:separators=3",
        "recursive:separators=[1]",
        "recursive:sise=3",
        "recursive:unit=tokens,tokenizer=/no/such/folder",
    ],
    "sentence": ["sentence:size=0", "sentence:size=10,overlap=10", "sentence:unit=sentences", "sentence:kind=plain"],
    "langchain": [
        "langchain",
        "langchain:RecursiveCharacterTextSplitte:chunk_size=5",
        "langchain:RecursiveCharacterTextSplitter:chunk_size=5,chunk_overlap=5",
        "langchain:RecursiveCharacterTextSplitter:chunk_size=0",
        "langchain:RecursiveCharacterTextSplitter:chunk_sice=5",
        "langchain:CharacterTextSplitter:chunk_overlap=4000",
        "langchain:CharacterTextSplitter:chunk_overlap=-1",
        "langchain:SentenceTransformersTokenTextSplitter:tokens_per_chunk=0",
        "langchain:SentenceTransformersTokenTextSplitter:tokens_per_chunk=50",
    ],
    "chonkie": [
        "chonkie:TokenChunke",
        "chonkie:TokenChunker:chunk_size=0",
        "chonkie:TokenChunker:chunk_size=5,chunk_overlap=5",
        "chonkie:TokenChunker:chunk_sice=5",
        "chonkie:TokenChunker:chunk_overlap=2048",
        "chonkie:TokenChunker:chunk_size=5,chunk_overlap=1.0",
        "chonkie:TokenChunker:chunk_size=5,chunk_overlap=-1",
        "chonkie:SentenceChunker:chunk_size=true",
    ],
    "delimiter": ["delimiter:delimiter=''", "delimiter:delimiter=3"],
    "cascade": ["cascade", "cascade:steps=[]", 'cascade:steps=["fixed_char_length:char_limit=0"]'],
    "semantic": ["semantic:min_size=20,max_size=10", "semantic:target_size=20,max_size=10,min_size=0"],
    "agentic": ["agentic:mini_size=20,max_size=10", "agentic:overlap_minis=-1", "agentic:contiguous=1"],
    "proposition": ["proposition:models=m"],
}
COUNTS = ("0", "-1", "1.5", "true", "'3'")
VALUES = {
    **dict.fromkeys(("size", "max_size", "target_size", "char_limit", "token_limit", "mini_size", "max_minis"), COUNTS),
    "overlap_rate": ("1.0", "0.51", "-0.1", "true"),
    "max_chunk_limit": ("0", "-2", "1.5", "true"),
    "overlap": ("-1", "1.5", "true", "1_000_000"),
    "unit": ("pages", "3"),
    "tokenizer": ("no/such",),
    **dict.fromkeys(("concurrency", "retries"), ("-1", "1.5", "true", "'3'")),
    **dict.fromkeys(("max_calls", "max_tokens"), ("-1", "1.5", "true")),
    "timeout": ("0", "-1", "nan", "true"),
    "max_input": ("10", "1e5"),
    "fallback": ("sentence", "true"),
    "base_url": ("localhost", "3"),
    "model": ("''",),
    "api_key_file": ("/no/such/file",),
}
"""What no chunker takes for a parameter of this name, whoever brings it."""


def _refusals() -> list[str]:
    found = []
    for name in registry.entries("chunkers"):
        found += REFUSED.get(name, [])
        for parameter in inspect.signature(registry.find("chunkers", name)).parameters:
            unit = ",unit=tokens" if parameter == "tokenizer" and name != "fixed_token_length" else ""
            found += [f"{name}:{parameter}={value}{unit}" for value in VALUES.get(parameter, ())]
    return found


REFUSALS = _refusals()


@pytest.mark.parametrize("spec", REFUSALS)
def test_bad_settings_are_refused_when_it_is_made(spec: str) -> None:
    name, _ = parse(spec)
    if name in ("langchain", "chonkie"):
        pytest.importorskip("langchain_text_splitters" if name == "langchain" else "chonkie")
    with answered(), pytest.raises(ConfigError) as caught:
        make(spec)
    assert len(str(caught.value)) > 10
