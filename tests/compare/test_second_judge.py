"""No strategy is judged by the embedder that it cuts by, whoever cuts and whatever the model is called."""

from __future__ import annotations

import pytest
from pytest import param

from chunkeval.chunkers.base import embedders_of
from chunkeval.chunkers.spec import make
from chunkeval.compare.judging import second
from chunkeval.errors import ConfigError


@pytest.mark.parametrize(
    ("embedder", "judge", "used", "chosen"),
    [
        param("use-multilingual", "lsa", (), "use-multilingual", id="nobody cuts by one"),
        param("use-multilingual", "lsa", ("use-multilingual",), "lsa", id="the second"),
        param("lsa", "lsa", ("lsa",), "use-multilingual", id="the default where both are the same"),
        param("/models/All-MiniLM-L6-v2/", "lsa", ("sentence-transformers/all-MiniLM-L6-v2",), "lsa", id="one model"),
    ],
)
def test_the_judge_is_one_that_nobody_cuts_by(embedder: str, judge: str, used: tuple[str, ...], chosen: str) -> None:
    assert second(embedder, judge, {"가": (), "나": used}) == chosen


def test_where_strategies_cut_by_all_another_is_asked_for() -> None:
    with pytest.raises(ConfigError, match="--judge lsa: strategies cut by it"):
        second("use-multilingual", "lsa", {"가": ("lsa",), "나": ("use-multilingual",)})


def test_adapters_say_what_they_cut_by(monkeypatch: pytest.MonkeyPatch) -> None:
    chonkie = pytest.importorskip("chonkie")

    class OddChunker:
        def __init__(self, embedding_model: str = "someone/some-model", chunk_size: int = 9) -> None:
            self.chunk_size = chunk_size

    monkeypatch.setattr(chonkie, "OddChunker", OddChunker, raising=False)
    assert embedders_of(make("chonkie:OddChunker")) == ("someone/some-model",)
    assert embedders_of(make('chonkie:OddChunker:embedding_model="other"')) == ("other",)
    assert embedders_of(make("chonkie:TokenChunker:chunk_size=9")) == ()
    assert embedders_of(make('cascade:steps=["recursive:size=300", "semantic"]')) == ("use-multilingual",)
