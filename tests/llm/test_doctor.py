"""What ``doctor`` says of the language model that the environment names."""

from __future__ import annotations

import sys

import pytest
from fake_llm import KEY, MODEL, Fake, serve

from chunkeval.cli import doctor
from chunkeval.retrieval import serving


def tried() -> doctor.Check:
    return doctor._tried("language model", doctor._language_model, "what to set")


def test_it_is_there(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKEVAL_BASE_URL", fake.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fake.keys = (KEY,)
    assert tried().says == f"{fake.base_url} answers and has {MODEL}: name one as model=NAME or in CHUNKEVAL_MODEL"
    monkeypatch.setenv("CHUNKEVAL_MODEL", MODEL)
    assert tried() == doctor.Check("language model", True, f"{MODEL} is at {fake.base_url}")
    monkeypatch.setenv("CHUNKEVAL_MODEL", "모델")
    assert tried().says == f"{fake.base_url} has no model '모델'; it has {MODEL}"
    assert not fake.calls


def test_it_is_not_there(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried() == doctor.Check("language model", False, "the environment names no server to ask", "what to set")
    monkeypatch.setenv("OPENAI_BASE_URL", fake.base_url)
    fake.keys = ("another",)
    where = fake.base_url
    assert tried().says == f"{where} refuses the key (401): set OPENAI_API_KEY to a key"
    monkeypatch.setenv("CHUNKEVAL_API_KEY", KEY)
    refused = tried()
    assert not refused.works and refused.says == f"{where} refuses the key (401): check the key"
    with serve() as gone:
        monkeypatch.setenv("OPENAI_BASE_URL", gone.base_url)
    assert not tried().works and "no answer from" in tried().says
    monkeypatch.setenv("OPENAI_BASE_URL", "nowhere")
    assert "base_url must begin with http" in tried().says


@pytest.mark.parametrize("models", [(), ("하나", "둘", "셋", "넷", "다섯", "여섯")])
def test_many_models_are_not_all_named(fake: Fake, monkeypatch: pytest.MonkeyPatch, models: tuple[str, ...]) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", fake.base_url)
    fake.models = models
    assert len(tried().says) < 200


def test_an_address_that_lacks_its_end_is_told(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", fake.base_url.removesuffix("/v1"))
    assert tried().says == f"{fake.base_url.removesuffix('/v1')} is not the address up to /v1 (404): check base_url"


def test_what_is_not_installed_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    assert "needs the extra llm: pip install 'chunkeval[llm]'" in tried().says
    for found in (True, False):
        monkeypatch.setattr(serving, "find_spec", lambda name, found=found: object() if found else None)
        check = next(
            check for check in map(lambda one: doctor._tried(*one), doctor._checks(None)[-2:]) if check.name == "mcp"
        )
        assert check.works is found
        said = "can serve search and reading" if found else "needs the package mcp: pip install 'chunkeval[mcp]'"
        assert said in check.says and bool(check.fix) is not found
