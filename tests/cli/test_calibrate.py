"""calibrate, and --calibration of audit and flag."""

import json
import shutil
import tomllib
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import chunkeval as ce
from chunkeval.text.sentences import split

DATA = Path(__file__).parents[2] / "datasets" / "ko"


def decided(run, path, *, flip=4, **options):
    """Decisions by similarity, some of them the other way, on half of the chunks."""
    frame = pd.read_parquet(run / "scores.parquet")
    frame = frame[frame["similarity"].notna()].sort_values("similarity").reset_index(drop=True)
    bad = np.arange(len(frame)) < 25
    bad[:flip] = False
    marked = frame.assign(decision=np.where(bad, "split", "keep"))[["chunk_id", "decision"]]
    marked.to_csv(path, index=False, **options)
    return dict(marked.itertuples(index=False, name=None))


def test_decisions_about_a_run_become_its_limits(call, run, tmp_path):
    marks = decided(run, tmp_path / "decisions.csv")
    said = call("calibrate", tmp_path / "decisions.csv", "--run", run)
    assert said.code == 0, said.err
    assert said.out.startswith(
        f"{list(marks.values()).count('keep')} good and 21 bad chunks of 6 documents, column decision"
    )
    assert "a selected sample" not in said.err and "documents known: 6" in said.err
    read = json.loads((tmp_path / "calibration.json").read_text("utf-8"))
    found = read["columns"]["similarity_centred"]
    limit = tomllib.loads((tmp_path / "calibration.toml").read_text("utf-8"))["limit"]["similarity_centred"]
    assert limit == found["limit"]["low"] and found["held_out"]["recall"] > 0.8 and found["auroc_ci"][0] > 0.7
    assert found["roc"][0] == [0, 0] and found["roc"][-1] == [1, 1]
    assert read["columns"]["similarity"]["published"]["low"] == 0.4

    before = pd.read_parquet(run / "scores.parquet")
    assert call("flag", run, "--calibration", "calibration.toml").code == 0
    after = pd.read_parquet(run / "scores.parquet")
    assert after["flag_similarity"].tolist() == (after["similarity_centred"] < limit).tolist()
    assert after["similarity_centred"].equals(before["similarity_centred"])
    summary = json.loads((run / "summary.json").read_text("utf-8"))
    stated = summary["analyzers"]["similarity"]["limit"]
    assert stated["rule"] == "labelled" and "decisions.csv" in stated["source"] and "21 bad" in stated["source"]
    assert summary["settings"]["calibration"] == "calibration.toml"

    call("flag", run, "--calibration", "calibration.toml", "--limit", "similarity=0.15")
    stated = json.loads((run / "summary.json").read_text("utf-8"))["analyzers"]["similarity"]["limit"]
    assert (stated["rule"], stated["low"]) == ("given", 0.15)


def test_a_runs_own_list_is_found_with_its_run(call, run, tmp_path):
    decided(run, run / "outliers.csv", encoding="cp949")
    lists = [
        call("calibrate", given, "--out", tmp_path / f"{i}.toml") for i, given in enumerate((run / "outliers.csv", run))
    ]
    assert [said.code for said in lists] == [0, 0]
    first, second = (json.loads((tmp_path / f"{i}.json").read_text("utf-8")) for i in range(2))
    assert first["columns"] == second["columns"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--run", "other"), "is a run, with decisions of its own, and --run names another"),
        (("--label", "quality"), "--label: these are decisions about a run's chunks"),
        (("--text", "content"), "--text: these are decisions about a run's chunks"),
        (("--embedder", "use-multilingual"), "--embedder: the labels are read by a run's own scores"),
        (("--topics", "10"), "--topics: the labels are read by a run's own scores"),
    ],
)
def test_what_a_run_decides_itself_is_refused_also_at_its_default(call, run, tmp_path, options, said):
    shutil.copytree(run, tmp_path / "other")
    decided(run, run / "outliers.csv")
    before = sorted(tmp_path.rglob("*"))
    ran = call("calibrate", run, *options)
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and said in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_may_name_itself(call, run):
    decided(run, run / "outliers.csv")
    assert call("calibrate", run, "--run", run, "--seed", "7").code == 0


def test_labels_of_flagged_chunks_only_are_called_a_selected_sample(call, run, tmp_path):
    call("flag", run, "--limit", "similarity=0.85", "--limit", "tokens=95:300")
    flagged = pd.read_parquet(run / "scores.parquet").query("flagged and similarity.notna()").sort_values("similarity")
    assert len(flagged) >= 40
    flagged = flagged.assign(decision=["drop"] * 20 + ["keep"] * (len(flagged) - 20))
    flagged[["chunk_id", "decision"]].to_csv(tmp_path / "decisions.csv", index=False)
    said = call("calibrate", tmp_path / "decisions.csv", "--run", run)
    assert said.code == 0 and "a selected sample" in said.err and "recall in the whole run" in said.err


def test_the_same_labels_give_the_same_figures(call, run, tmp_path):
    decided(run, tmp_path / "decisions.csv")
    said = [call("calibrate", tmp_path / "decisions.csv", "--run", run, "--json", "--overwrite").out for _ in range(2)]
    assert said[0] == said[1] and json.loads(said[0])["labelled"]["resampled_by"] == "chunk"
    assert (tmp_path / "calibration.json").read_text("utf-8") == said[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("few.csv",), "3 good and 2 bad chunks, at least 20 of each are needed"),
        (("unlabelled.csv",), "no label column among"),
        (("odd.csv",), "row 2: '글쎄' is no label"),
        (("few.csv", "--label", "nosuch"), "no column 'nosuch' for --label"),
        (("nosuch.csv",), "nosuch.csv"),
        (("decisions.csv",), "name it with --run"),
        (("few.csv", "--run", "nosuch"), "there is no run at nosuch"),
        (("few.csv", "--out", "x.json"), "a calibration is a .toml file"),
        (("few.csv", "--out", "there.toml"), "there.toml is there already: --overwrite replaces it"),
        (("few.csv", "--topics", "1"), "topics"),
    ],
)
def test_bad_input_is_one_line_and_nothing_written(call, tmp_path, arguments, said):
    texts = [f"문장 {i}. 또 한 문장." for i in range(5)]
    pd.DataFrame({"text": texts, "label": list("11100")}).to_csv(tmp_path / "few.csv", index=False)
    pd.DataFrame({"text": texts}).to_csv(tmp_path / "unlabelled.csv", index=False)
    pd.DataFrame({"text": texts, "label": ["좋음", "글쎄", "", "", ""]}).to_csv(tmp_path / "odd.csv", encoding="cp949")
    pd.DataFrame({"chunk_id": ["a"], "decision": ["keep"]}).to_csv(tmp_path / "decisions.csv", index=False)
    (tmp_path / "there.toml").write_text("mine")
    before = sorted(tmp_path.iterdir())
    ran = call("calibrate", *arguments)
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and said in ran.err
    assert sorted(p for p in tmp_path.iterdir() if p.name != "cache") == before
    assert (tmp_path / "there.toml").read_text() == "mine"


def test_the_labels_are_never_written_over(call, tmp_path):
    rows = [{"text": f"문장 {i}. 또 한 문장.", "label": i % 2} for i in range(5)]
    (tmp_path / "mine.json").write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    ran = call("calibrate", "mine.json", "--out", "mine.toml", "--overwrite")
    assert ran.code == 2 and "would replace the labels in mine.json" in ran.err
    assert json.loads((tmp_path / "mine.json").read_text("utf-8")) == rows


def test_settings_of_its_own_are_refused_where_a_run_has_them(call, run, tmp_path):
    decided(run, tmp_path / "decisions.csv")
    ran = call("calibrate", tmp_path / "decisions.csv", "--run", run, "--embedder", "lsa")
    assert ran.code == 2 and "leave --embedder out" in ran.err


def test_a_calibration_that_is_none_stops_an_audit_before_it_begins(call, tmp_path):
    (tmp_path / "x.toml").write_text("[limit]\ntokens = '1:2'\n")
    ran = call("audit", DATA / "chunks.csv", "--calibration", "x.toml", "--out", "run")
    assert ran.code == 2 and "no [calibration] with schema = 1" in ran.err
    assert not (tmp_path / "run").exists()


def labelled(seed=1):
    """Gold sections, and chunks of as many sentences drawn from other documents."""
    rng = np.random.default_rng(seed)
    sections, sizes, sentences = [], [], {}
    for slug, found in json.loads((DATA / "boundaries.json").read_text("utf-8")).items():
        document = (DATA / "docs" / f"{slug}.md").read_text("utf-8")
        for section in found:
            text = document[section["start"] : section["end"]]
            spans = split(text)
            sections.append((slug, text, "좋음"))
            sizes.append(len(spans))
            sentences.setdefault(slug, []).extend(text[a:b] for a, b in spans)
    mixed = []
    for (slug, _, _), size in zip(sections[::2], sizes[::2], strict=True):
        others = rng.choice([other for other in sentences if other != slug], max(3, size))
        mixed.append(
            (slug, "\n".join(rng.choice(sentences[other]) for other in others), unicodedata.normalize("NFD", "나쁨"))
        )
    return pd.DataFrame([*sections, *mixed], columns=["문서", "내용", "판정"])


def cut_badly(rows=120, seed=2):
    """Korean chunks, each of its own document: bad ones are rather longer and rather often cut inside a sentence; neither says all."""
    rng = np.random.default_rng(seed)
    words = ["김치", "한강", "ＦＵＬＬ", unicodedata.normalize("NFD", "훈민정음"), "가족 👩‍👩‍👧", "띄어쓰지않은긴말"]
    texts, marks = [], []
    for number in range(rows):
        bad = number % 3 == 0
        sentences = int(rng.integers(2, 7)) + 2 * bad
        text = " ".join(f"{rng.choice(words)}에 대한 {number}번째 글의 {i}째 문장이다." for i in range(sentences))
        texts.append(text[: -int(rng.integers(6, 12))] if rng.random() < (0.7 if bad else 0.2) else text)
        marks.append("나쁨" if bad else "좋음")
    return pd.DataFrame({"문서": [f"글 {i}" for i in range(rows)], "내용": texts, "판정": marks})


def test_a_head_of_two_columns_goes_from_labels_to_every_command(call, undrawn, tmp_path):
    cut_badly().to_csv(tmp_path / "표.csv", index=False)
    options = ("--analyzers", "tokens,boundaries", "--no-progress")
    said = call("calibrate", "표.csv", *options)
    assert said.code == 0, said.err
    read = json.loads((tmp_path / "calibration.json").read_text("utf-8"))
    head = read["head"]
    assert head["judges"] and head["columns"] == ["token_count", "boundary_score"] and head["auroc_ci"][0] > 0.6
    assert (
        "label_probability, of all columns together, flags" in said.out
        and "token_count: high speaks against" in said.out
    )
    alone = [one["held_out"]["balanced_accuracy"] for one in read["columns"].values() if one["held_out"]]
    assert head["held_out"]["balanced_accuracy"] >= max(alone)
    assert tomllib.loads((tmp_path / "calibration.toml").read_text("utf-8"))["head"]["weights"] == head["weights"]

    said = call("audit", "표.csv", *options, "--calibration", "calibration.toml", "--out", "run", "--max-flagged", "1")
    assert said.code == 1
    frame = pd.read_parquet(tmp_path / "run" / "scores.parquet")
    assert (frame["flag_labels"] == (frame["label_probability"] < 0.5)).all() and frame["flagged"][
        frame["flag_labels"]
    ].all()
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))["analyzers"]["labels"]
    assert summary["flagged"] == frame["flag_labels"].sum() and summary["limit"]["rule"] == "labelled"
    listed = pd.read_csv(tmp_path / "run" / "outliers.csv").set_index("chunk_id")
    worst = frame[frame["flag_labels"]].sort_values("label_probability").iloc[0]
    assert "like_bad" in listed.loc[worst["chunk_id"], "reasons"]
    assert "! label_probability" in call("show", "run", worst["chunk_id"]).out

    own = json.loads((tmp_path / "calibration.json").read_text("utf-8"))["labelled"]["bad"]
    text = cut_badly()["내용"][frame.index[frame["chunk_id"] == worst["chunk_id"]][0]]
    told = json.loads(call("score", text, "--run", "run", "--json").out)
    measure = next(one for one in told["measures"] if one["analyzer"] == "labels")
    assert own == 40 and measure["flagged"] and measure["column"] == "label_probability"
    assert ce.judge(text, run=tmp_path / "run", limit={"label_probability": "0.0001"})[0].measures[-1].flagged is False

    assert call("rechunk", "run", "--out", "again", "--no-progress").code == 0
    again = pd.read_parquet(tmp_path / "again" / "scores.parquet")
    same = again.merge(frame, on="chunk_id", suffixes=("", "_before"))
    assert len(same) and "flag_labels" in again
    unmoved = same["boundary_score"] == same["boundary_score_before"]
    assert (same["label_probability"] == same["label_probability_before"])[unmoved].all()

    assert call("flag", "run", "--calibration", "calibration.toml", "--limit", "label_probability=0.3").code == 0
    frame = pd.read_parquet(tmp_path / "run" / "scores.parquet")
    assert (frame["flag_labels"] == (frame["label_probability"] < 0.3)).all()
    assert call("flag", "run").code == 0
    assert "label_probability" not in pd.read_parquet(tmp_path / "run" / "scores.parquet")

    refused = call("audit", "표.csv", *options, "--limit", "label_probability=0.3", "--out", "no")
    assert refused.code == 2 and "needs a calibration with a [head]" in refused.err
    edited = (tmp_path / "calibration.toml").read_text("utf-8").replace('forms = ["log"', 'forms = ["ln"')
    (tmp_path / "edited.toml").write_text(edited, "utf-8")
    refused = call("audit", "표.csv", *options, "--calibration", "edited.toml", "--out", "no")
    assert (
        refused.code == 2 and refused.err.count("\n") == 1 and "edited.toml: head.forms of token_count" in refused.err
    )
    assert not (tmp_path / "no").exists()


@pytest.mark.slow
def test_gold_sections_against_mixes_give_a_limit_that_an_audit_uses(call, undrawn, tmp_path):
    table = labelled()
    table.to_csv(tmp_path / "표.csv", index=False)
    said = call("calibrate", "표.csv", "--analyzers", "similarity", "--no-progress")
    assert said.code == 0, said.err
    assert "column 판정: 나쁨 = bad, 좋음 = good" in said.out and "of 24 documents" in said.out
    read = json.loads((tmp_path / "calibration.json").read_text("utf-8"))
    found = read["columns"]["similarity_centred"]
    assert found["held_out"]["balanced_accuracy"] > 0.9 and 0 < found["limit"]["low"] < 0.15
    assert read["columns"]["similarity"]["published"]["balanced_accuracy"] < 0.6

    # in CP949, where decomposed Hangul has no bytes, composed
    few = table.iloc[::3]
    few.map(lambda cell: unicodedata.normalize("NFC", cell)).to_csv(
        "cp949.csv", index=False, encoding="cp949", errors="ignore"
    )
    said = call("calibrate", "cp949.csv", "--analyzers", "similarity", "--no-progress", "--out", "cp949.toml")
    assert said.code == 0
    assert json.loads(Path("cp949.json").read_text("utf-8"))["labelled"]["good"] == (few["판정"] == "좋음").sum()

    options = ("--analyzers", "similarity", "--no-progress")
    assert call("audit", DATA / "chunks.csv", *options, "--calibration", "calibration.toml", "--out", "run").code == 0
    limit = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))["analyzers"]["similarity"]["limit"]
    assert (limit["rule"], limit["low"]) == ("labelled", found["limit"]["low"])
    refused = call(
        "audit",
        DATA / "chunks.csv",
        *options,
        "--calibration",
        "calibration.toml",
        "--sentences",
        "naive",
        "--out",
        "no",
    )
    assert refused.code == 2 and "sentences 'auto', and this run has 'naive'" in refused.err and not Path("no").exists()
    refused = call(
        "audit", DATA / "chunks.csv", *options, "--calibration", "calibration.toml", "--embedder", "lsa", "--out", "no"
    )
    assert (
        refused.code == 2 and "'use-multilingual'" in refused.err and "'lsa'" in refused.err and not Path("no").exists()
    )

    # by what the run has learned, and through Python
    calibrated = ce.calibrate(table, run=tmp_path / "run")
    own = calibrated.facts["columns"]["similarity_centred"]
    assert own["limit"]["low"] == pytest.approx(found["limit"]["low"], abs=0.03)
    toml, _ = calibrated.save(tmp_path / "own.toml")
    flags = ce.flag(ce.score(ce.load(DATA / "chunks.csv").head(60), analyzers="similarity"), calibration=toml)
    assert flags.judgements[0].limit.low == own["limit"]["low"]
    assert calibrated.frame.set_index("column").loc["similarity_centred", "low"] == own["limit"]["low"]
    assert "<td>similarity_centred</td>" in calibrated._repr_html_()
    assert json.loads(calibrated.to_json()) == calibrated.facts
