"""A made-up audit: texts written for these tests, scores drawn so that they look like a real one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from chunkeval.report.page import render
from chunkeval.report.sections import measures
from chunkeval.report.view import Lang, View
from chunkeval.results import Recombined

KO = {
    "갯벌": [
        "갯벌은 밀물 때 잠기고 썰물 때 드러나는 평평한 땅이다.",
        "강이 실어 온 고운 흙이 물살이 약한 곳에 쌓여 만들어진다.",
        "낙지와 바지락, 칠게가 이 진흙 속에 구멍을 파고 산다.",
        "철새들은 먼 길을 가는 도중에 이곳에 내려 배를 채운다.",
    ],
    "한지": [
        "한지는 닥나무 껍질을 삶아 두드려 만드는 종이다.",
        "잿물에 삶은 껍질을 맑은 물에 여러 번 헹군다.",
        "발로 떠낸 종이는 켜켜이 쌓아 물을 뺀 뒤 말린다.",
        "잘 만든 한지는 천 년을 간다고들 말한다. 👩‍🎨",
    ],
    "환불": [
        "결제한 날부터 ７일 안에 환불을 신청할 수 있습니다\uff01",
        "이용 기록이 있으면 쓴 날수만큼 빼고 돌려 드립니다.",
        "신청은 내 정보 > 결제 내역 > 환불에서 하시면 됩니다.",
        "카드 취소는 카드사에 따라 3~5일이 걸립니다.",
    ],
    "두부": [
        "두부는 불린 콩을 갈아 끓인 콩물에 간수를 넣어 굳힌 음식이다.",
        "간수를 한꺼번에 부으면 거칠게 엉긴다.",
        "틀에 면포를 깔고 순두부를 부어 눌러 물을 뺀다.",
        "갓 만든 두부는 찬물에 담가 열을 식힌다.",
    ],
}
EN = {
    "tides": [
        "A tide is the slow rise and fall of the sea.",
        "The moon pulls on the near side of the ocean more strongly than on the far side.",
        "Twice a month, sun and moon pull together and the range is widest.",
        "Harbours print the times of high water for a year ahead.",
    ],
    "bread": [
        "Sourdough rises without any bought yeast.",
        "Flour and water are left in a jar until they bubble.",
        "The dough rests overnight in a cool place, e.g. a cellar.",
        "A hot stone gives the loaf its crust.",
    ],
    "returns": [
        "You may return an item within 30 days of delivery.",
        "Keep the receipt, since we cannot refund without it.",
        "Parcels over 20 kg are collected at your door.",
        "Refunds reach your card in about five working days.",
    ],
    "lichen": [
        "A lichen is a fungus and an alga living as one.",
        "The fungus gives shelter, and the alga makes sugar from light.",
        "Some grow less than a millimetre a year.",
        "Clean air suits them, which is why cities have few.",
    ],
}


def build(lang: Lang = "ko", chunks: int = 400, seed: int = 7) -> View:
    """Make a whole audit of a made-up corpus: about a tenth mixed, a few blank, a few very long or short."""
    rng = np.random.default_rng(seed)
    subjects = list((KO if lang == "ko" else EN).values())
    texts, spans, cuts = [], [], []
    mixed = rng.random(chunks) < 0.1
    blank = np.zeros(chunks, dtype=bool)
    blank[[5, chunks // 2]] = chunks > 20
    for row in range(chunks):
        first, second = rng.choice(len(subjects), 2, replace=False)
        sentences = [*subjects[first][:2], *subjects[second][2:]] if mixed[row] else list(subjects[first])
        sentences = [] if blank[row] else sentences
        text = " ".join(sentences) or " \n"
        texts.append(text)
        starts = [text.index(sentence) for sentence in sentences]
        spans.append([(start, start + len(sentence)) for start, sentence in zip(starts, sentences, strict=True)])
        cuts.append(starts[2:3] if mixed[row] else [])
    tokens = rng.normal(280, 60, chunks).clip(60).round()
    tokens[rng.choice(chunks, 8, replace=False)] = rng.integers(700, 1500, 8)
    tokens[-4:] = (12, 30, 41, 25)
    tokens[blank] = 0
    similarity = np.where(mixed, rng.normal(0.04, 0.04, chunks), rng.normal(0.34, 0.09, chunks)).round(6)
    similarity[blank | (rng.random(chunks) < 0.03)] = np.nan
    entropy = np.where(mixed, rng.normal(0.1, 0.5, chunks), rng.normal(-2.4, 0.8, chunks)).round(6)
    entropy[blank] = np.nan
    words = (tokens * 0.4).round()
    frame = pd.DataFrame(
        {
            "chunk_id": [f"c{row:05d}" for row in range(chunks)],
            "doc_id": [f"문서 {row // 20}" if lang == "ko" else f"document {row // 20}" for row in range(chunks)],
            "position": [row % 20 for row in range(chunks)],
            "start": pd.array([None] * chunks, dtype="Int64"),
            "end": pd.array([None] * chunks, dtype="Int64"),
            "token_count": tokens,
            "similarity": (similarity * 0.7 + 0.28).round(6),
            "similarity_centred": similarity,
            "sentences": np.where(blank, 0, rng.integers(2, 14, chunks)),
            "repetition": 0.0,
            "weakest_cut": pd.array([None if blank[row] else 2 for row in range(chunks)], dtype="Int64"),
            "cut_gap": np.where(np.isnan(similarity), np.nan, np.abs(rng.normal(0.2, 0.1, chunks)).round(6)),
            "topic_entropy": (entropy * 0.4 + 3 + np.log2(words + 1) / 4).round(6),
            "topic_entropy_card": (entropy * 0.4 + 3).round(6),
            "topic_entropy_z": entropy,
            "content_words": words,
        }
    )
    frame["flag_tokens"] = (tokens < 100) | (tokens > 460)
    frame["flag_similarity"] = (frame["similarity_centred"] < 0.15).to_numpy()
    frame["flag_topics"] = (frame["topic_entropy_z"] > -0.6).to_numpy()
    frame["flag_similarity_card"] = (frame["similarity"] < 0.4).to_numpy()
    frame["flag_topics_card"] = False
    frame["flagged"] = blank | frame[["flag_tokens", "flag_similarity", "flag_topics"]].to_numpy().any(axis=1)
    reasons: list[list[str]] = [[] for _ in range(chunks)]
    for name, rows in (
        ("blank", blank),
        ("too_long", tokens > 460),
        ("too_short", (tokens < 100) & ~blank),
        ("incoherent", frame["flag_similarity"].to_numpy()),
        ("many_topics", frame["flag_topics"].to_numpy()),
    ):
        for row in np.flatnonzero(rows):
            reasons[row].append(name)
    frame["reasons"] = reasons
    frame["severity"] = np.where(frame["flagged"], rng.random(chunks).round(6), 0.0)
    frame.loc[blank, "severity"] = 1.0
    frame["suggestion"] = [suggest(row) for row in reasons]
    frame["suggested_cuts"] = cuts
    documents = frame.groupby("doc_id", sort=False).agg(
        chunks=("flagged", "size"), flagged=("flagged", "sum"), worst=("severity", "max")
    )
    recombined = {
        "similarity_centred": Recombined(rng.normal(0.03, 0.05, 900), rng.normal(0.13, 0.06, 900)),
        "topic_entropy_z": Recombined(rng.normal(0, 1, 900), rng.normal(-0.8, 0.9, 900)),
    }
    return View(
        summary=summarise(frame, lang),
        frame=frame,
        recombined=recombined,
        documents=documents.reset_index(),
        texts=lambda rows: [texts[row] for row in rows],
        sentences=lambda row: spans[row],
        lang=lang,
    )


def suggest(reasons: Sequence[str]) -> str | None:
    """Suggest as the design says."""
    for codes, name in (
        ({"blank"}, "drop"),
        ({"too_long", "incoherent", "many_topics"}, "split"),
        ({"too_short", "tail"}, "merge"),
    ):
        if codes & set(reasons):
            return name
    return "review" if reasons else None


def summarise(frame: pd.DataFrame, lang: Lang) -> dict[str, Any]:
    """Make the summary that belongs to the frame."""
    q1, median, q3 = (float(value) for value in np.quantile(frame["token_count"], (0.25, 0.5, 0.75)))
    count = {name: int(frame[f"flag_{name}"].sum()) for name in ("tokens", "similarity", "topics", "similarity_card")}
    similarity = {
        "measured": int(frame["similarity"].notna().sum()),
        "flagged": count["similarity"],
        "limit": {
            "column": "similarity_centred",
            "low": 0.15,
            "high": None,
            "rule": "calibrated",
            "source": "recombinations of this corpus",
        },
        "card": {"low": 0.4, "flagged": count["similarity_card"]},
        "calibrated": {
            "low": 0.15,
            "auroc": 0.968,
            "auroc_ci": [0.951, 0.979],
            "auroc_splice": 0.9,
            "share": 0.0934,
            "share_ci": [0.062, 0.127],
            "share_mix": 0.0712,
            "share_splice": 0.0222,
            "flagged": count["similarity"],
            "why": None,
        },
    }
    topics = {
        "measured": int(frame["topic_entropy"].notna().sum()),
        "flagged": count["topics"],
        "unit": "bits",
        "num_topics": 14,
        "limit": {
            "column": "topic_entropy_z",
            "low": None,
            "high": -0.6,
            "rule": "calibrated",
            "source": "recombinations of this corpus",
        },
        "card": None,
        "calibrated": {
            "high": -0.6,
            "auroc": 0.942,
            "auroc_ci": [0.921, 0.96],
            "auroc_splice": 0.87,
            "share": 0.081,
            "share_ci": [0.04, 0.12],
            "share_mix": 0.061,
            "share_splice": 0.02,
            "flagged": count["topics"],
            "why": None,
        },
    }
    return {
        "schema": 1,
        "chunks": len(frame),
        "documents": int(frame["doc_id"].nunique()),
        "flagged": int(frame["flagged"].sum()),
        "flagged_share": round(float(frame["flagged"].mean()), 6),
        "verdict": "",
        "analyzers": {
            "tokens": {
                "measured": len(frame),
                "flagged": count["tokens"],
                "unit": "tokens",
                "q1": q1,
                "median": median,
                "q3": q3,
                "limit": {
                    "column": "token_count",
                    "low": 100.0,
                    "high": 460.0,
                    "rule": "iqr",
                    "source": "quartiles of this corpus",
                },
            },
            "similarity": similarity,
            "topics": topics,
        },
        "settings": {
            "analyzers": ["tokens", "similarity", "topics"],
            "embedder": "use-multilingual",
            "language": lang,
            "seed": 42,
            "sample": None,
        },
        "versions": {"chunkeval": "0.1.0", "python": "3.11.2", "numpy": "2.4.6"},
        "input": {
            "source": "chunks.csv",
            "kind": "csv",
            "sha256": "9f2c" * 16,
            "rows": len(frame),
            "encoding": "cp949",
            "columns": {"text": "content", "doc_id": "title"},
            "skipped_null": 0,
            "surrogates": 0,
            "notes": ["The text is in column 'content'."],
        },
        "run": {"jobs": 2, "batch": 32, "out": "reports/chunks", "resumed": False},
        "seconds": {"score": 12.5},
    }


@pytest.fixture(scope="session")
def korean() -> View:
    """A Korean audit."""
    return build("ko")


@pytest.fixture(scope="session")
def english() -> View:
    """An English audit."""
    return build("en")


@pytest.fixture(scope="session")
def korean_page(korean: View) -> str:
    """The Korean audit's page, rendered once."""
    return render(korean)


@pytest.fixture(scope="session")
def english_page(english: View) -> str:
    """The English audit's page, rendered once."""
    return render(english)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures out of the page, for tests that only read it."""
    monkeypatch.setattr(measures, "pictures", lambda view, analyzer: [])


@pytest.fixture(scope="session")
def remade() -> Callable[..., View]:
    """Make another audit: ``remade(lang, chunks)``."""
    return build


def changed(view: View, **summary: Any) -> View:
    """The view with some keys of its summary replaced."""
    return replace(view, summary={**view.summary, **summary})
