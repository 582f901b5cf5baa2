"""Settings: one frozen dataclass a stage. They are the TOML's keys, the command line's options and the defaults, all at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from chunkeval.bounds import a_share, one_of, within
from chunkeval.config_compare import CompareConfig
from chunkeval.config_search import AgentConfig, AskConfig, SearchConfig
from chunkeval.errors import ConfigError, unknown_name

SHARD = 1024
"""Rows of a shard, whatever the batch or the number of jobs."""

PSEUDO_DOCUMENT = 20
"""Neighbouring rows that act as a document where none is known."""

SAMPLE = 50_000
"""Chunks that ``fit`` sees at most."""

SPLITTERS = ("auto", "kiwi", "rules", "naive")
"""Sentence splitters: ``auto`` takes Kiwi for Korean and rules for the rest; ``naive`` cuts at every ``.``, ``!`` and ``?``."""

TOPICS = 2_000
"""Topics at most, five times what is ever taken by itself: memory and time of a fit grow with topics × words."""

TAGGERS = ("kiwi", "okt", "komoran", "hannanum", "kkma")
"""Korean taggers; all but Kiwi come with the extra ``konlpy``."""


@dataclass(frozen=True)
class LoadConfig:
    """How a source becomes a chunk table."""

    text: str | None = None
    """Column that holds the text; guessed where not given."""
    doc: str | None = None
    """Column that names the document; guessed where not given."""
    id: str | None = None
    """Column that names the chunk; guessed, else made from the content."""
    on_null: Literal["error", "skip"] = "error"
    """What to do with a null text."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        one_of("on_null", self.on_null, ("error", "skip"))


@dataclass(frozen=True)
class ScoreConfig:
    """What can change a score."""

    analyzers: tuple[str, ...] = ("tokens", "similarity", "topics", "coherence")
    """Analyzers to run."""
    embedder: str = "use-multilingual"
    """Registered embedder, sentence-transformers name or folder."""
    tokenizer: str | None = None
    """Tokenizer that counts; the embedder's own where not given."""
    context: int | None = None
    """Tokens the embedder reads; its own limit where not given."""
    sentences: str = "auto"
    """Sentence splitter: auto, kiwi, rules or naive."""
    morphemes: str = "kiwi"
    """Korean tagger: kiwi, or one of KoNLPy's: okt, komoran, hannanum, kkma."""
    topic_model: Literal["lda", "bertopic"] = "lda"
    """What finds topics: lda in words, bertopic in sentence vectors (extra ``bertopic``)."""
    topics: int | Literal["auto"] | None = None
    """Number of LDA topics; from the number of chunks where not given, ``auto`` by how well held-out words are predicted."""
    topic_seeds: int = 2
    """LDA fits, each with the next seed: topics flag only where the fits agree on what is bad; one says nothing of that."""
    topics_order: Literal["hash", "table"] = "hash"
    """Order in which the LDA fit walks the sample."""
    sample: int | None = None
    """Audit only this many chunks, drawn at random."""
    seed: int = 42
    """Seed of everything random."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        if not self.analyzers:
            raise ConfigError("analyzers: name at least one, as in --analyzers tokens,similarity")
        if self.sentences not in SPLITTERS:
            raise unknown_name("sentence splitter", self.sentences, SPLITTERS)
        if self.morphemes not in TAGGERS:
            raise unknown_name("tagger", self.morphemes, TAGGERS)
        one_of("topics_order", self.topics_order, ("hash", "table"))
        within("context", self.context, 1)
        one_of("topic_model", self.topic_model, ("lda", "bertopic"))
        if self.topic_model == "bertopic" and isinstance(self.topics, int):
            raise ConfigError(
                f"topics {self.topics} is a number of LDA topics: bertopic finds its own, leave --topics out (or give auto)"
            )
        if isinstance(self.topics, str):
            one_of("topics", self.topics, ("auto",))
        else:
            within("topics", self.topics, 2, TOPICS)
        within("topic_seeds", self.topic_seeds, 1, 20)
        within("sample", self.sample, 1)
        within("seed", self.seed, 0, 2**32 - 1)


@dataclass(frozen=True)
class FlagConfig:
    """How scores become judgements."""

    limits: Literal["auto", "card", "calibrated"] = "auto"
    """Where limits come from."""
    limit: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Limit given by hand, once a score column: ``COLUMN=VALUE`` or ``COLUMN=LOW:HIGH``."""
    inclusive: bool = False
    """Whether a value on the limit is bad too (the article's reading)."""
    calibration: str | None = None
    """File that ``chunkeval calibrate`` wrote: limits read off labelled chunks."""
    false_flags: str = "5%"
    """Share of the chunks that calibrated limits may flag wrongly, all together, as far as recombined chunks tell; ``5%`` or ``0.05``."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        one_of("limits", self.limits, ("auto", "card", "calibrated"))
        a_share("false_flags", self.false_flags)


@dataclass(frozen=True)
class ChunkConfig:
    """How documents are cut."""

    chunker: str | None = None
    """Chunker with its settings: ``NAME:key=value,…``, values as TOML; ``recursive`` cuts documents where not given."""
    fallback: Literal["recursive", "none"] = "recursive"
    """What cuts where a language model gives no reply of use: the recursive chunker, or nothing, which is an error."""
    pipeline: str | None = None
    """OpenSearch ingest pipeline (JSON) to run instead, over documents as JSON lines."""
    max_token_count: int = 10_000
    """With ``pipeline``: tokens of one text at most."""
    depth_limit: int = 20
    """With ``pipeline``: levels of nested objects at most."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        one_of("fallback", self.fallback, ("recursive", "none"))
        within("max_token_count", self.max_token_count, 1)
        within("depth_limit", self.depth_limit, 1)


@dataclass(frozen=True)
class RechunkConfig:
    """How flagged chunks are cut again."""

    decisions: str | None = None
    """An outlier list with decisions; the run's own outliers.csv where not given."""
    allow_drop: bool = False
    """Leave out what is suggested to drop; else only what a person decided to."""
    max_size: int | None = None
    """Tokens of a merged chunk at most, characters where the run counted no tokens; its upper token limit where not given."""
    keep_worse: bool = False
    """Keep changes that make things worse, which are otherwise taken back."""
    rounds: int = 1
    """Times to start again from what came out, while it helps."""
    judge: str = "lsa"
    """Embedder that judges besides, used for no cut."""
    boundaries: str | None = None
    """Known section boundaries to compare cuts with; JSON: document to a list of ``{start, end}`` or of starts."""
    dry_run: bool = False
    """Say what would change and write nothing."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        within("max_size", self.max_size, 1)
        within("rounds", self.rounds, 1)


@dataclass(frozen=True)
class CalibrateConfig:
    """How limits are read off labelled chunks."""

    label: str | None = None
    """Column that says which chunks are good; guessed where not given."""
    run: str | None = None
    """Run that the labels belong to: its scores, or its fit for a labelled table, are used."""


@dataclass(frozen=True)
class JudgeConfig:
    """How texts of no table are judged."""

    run: str | None = None
    """Run whose limits judge and whose corpus is compared with; the shipped limits where not given."""
    gate: bool = False
    """Fail where any text is flagged."""


@dataclass(frozen=True)
class ReportConfig:
    """What the outputs show and which gates hold."""

    lang: Literal["ko", "en"] | None = None
    """Language of the report; the corpus' own where not given."""
    by: str | None = None
    """Metadata column to break shares down by."""
    max_flagged: str | None = None
    """Gate: fail where more is flagged; ``5%``, ``0.05`` or ``200``."""
    baseline: str | None = None
    """An earlier run: report only what is new."""
    embed: Literal["none", "worst", "all"] = "worst"
    """Texts in the page: of the ``worst`` 2,000 flagged chunks, of ``all`` flagged ones, or ``none`` but three on the first screen."""
    redact: bool = False
    """Leave every text and all metadata out of the page."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        one_of("lang", self.lang, ("ko", "en", None))
        one_of("embed", self.embed, ("none", "worst", "all"))


@dataclass(frozen=True)
class RunConfig:
    """How the work is carried out; nothing here changes a number."""

    out: str | None = None
    """Folder of the run; ``reports/<name>`` where not given."""
    overwrite: bool = False
    """Replace a run that is there."""
    resume: bool = False
    """Continue a run that was stopped."""
    cache: str | None = None
    """Folder of cached parts."""
    jobs: int | None = None
    """Worker threads; one a core where not given."""
    batch: int = 32
    """Sentences given to the embedder at once."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        within("jobs", self.jobs, 1)
        within("batch", self.batch, 1)

    @property
    def workers(self) -> int:
        """Threads or processes to start: ``jobs``, else one a core."""
        return self.jobs or os.cpu_count() or 1


@dataclass(frozen=True)
class ConsoleConfig:
    """What the command line says; nothing here changes what is written."""

    json: bool = False
    """Print the result as JSON on standard output."""
    quiet: bool = False
    """Say nothing but errors."""
    no_progress: bool = False
    """No bars and no progress lines."""


@dataclass(frozen=True)
class AuditConfig:
    """The whole road."""

    load: LoadConfig = LoadConfig()
    score: ScoreConfig = ScoreConfig()
    flag: FlagConfig = FlagConfig()
    report: ReportConfig = ReportConfig()
    run: RunConfig = RunConfig()
    chunk: ChunkConfig = ChunkConfig()
    rechunk: RechunkConfig = RechunkConfig()
    compare: CompareConfig = field(default_factory=CompareConfig)
    calibrate: CalibrateConfig = CalibrateConfig()
    judging: JudgeConfig = JudgeConfig()
    search: SearchConfig = field(default_factory=SearchConfig)
    ask: AskConfig = field(default_factory=AskConfig)
    agent: AgentConfig = field(default_factory=AgentConfig)
    preset: Literal["article"] | None = None
