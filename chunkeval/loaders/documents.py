"""Documents to cut: the same sources as chunk tables, one row or file a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from chunkeval.config import LoadConfig
from chunkeval.errors import TableError
from chunkeval.loaders.write import write_chunks
from chunkeval.progress import Progress
from chunkeval.results import SourceInfo
from chunkeval.table.planning import NO_DOCUMENTS


@dataclass(frozen=True)
class Document:
    """A document's name and text."""

    doc_id: str
    text: str


@dataclass(frozen=True)
class Documents:
    """A source's documents on disk, read in a stream any number of times, in the source's order."""

    path: Path
    info: SourceInfo
    named_by: str | None
    """Column of the file that names them; None: they are numbered from 1."""

    def __iter__(self) -> Iterator[Document]:
        """Read them one by one."""
        import pyarrow.parquet as pq

        number = 0
        columns = ["text"] if self.named_by is None else ["text", self.named_by]
        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(batch_size=64, columns=columns):
                texts = batch.column("text")
                names = None if self.named_by is None else batch.column(self.named_by)
                for at in range(len(texts)):
                    number += 1
                    yield Document(str(number) if names is None else names[at].as_py(), texts[at].as_py())

    def __len__(self) -> int:
        """Count them."""
        return self.info.rows


def read_documents(source: str, config: LoadConfig, folder: Path, progress: Progress) -> Documents:
    """Read a source of documents.

    Parameters
    ----------
    source
        A file (txt, md, html, csv, tsv, json, jsonl, parquet, xlsx), a folder of such, or ``-`` for standard input.
    config
        Columns named by the caller. A document is named by the column that names documents where its values are unique,
        else by the id column; without either, by its number.
    folder
        Where the checked rows are kept, as ``documents.parquet``.
    progress
        Told of the rows read.

    Raises
    ------
    SourceError, TableError
        The source cannot be read, breaks a rule of the table, or several rows have the same document's name.
    """
    held = write_chunks(source, config, folder / "documents.parquet", progress)
    named_by = _named_by(held.path, held.info, source, config)
    notes = tuple(note for note in held.info.notes if named_by is None or note != NO_DOCUMENTS)
    return Documents(held.path, replace(held.info, notes=notes), named_by)


def _named_by(path: Path, info: SourceInfo, source: str, config: LoadConfig) -> str | None:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    if "doc_id" in info.columns:
        names = pq.read_table(path, columns=["doc_id"])["doc_id"]
        if not names.null_count and pc.count_distinct(names).as_py() == len(names):
            return "doc_id"
        if "chunk_id" not in info.columns or config.doc is not None:
            column = info.columns["doc_id"]
            fault = "is empty in some rows" if names.null_count else "repeats"
            raise TableError(
                f"{source}: column {column!r} names the documents and {fault}, and a document is one row: "
                f"name a column of unique ids with --id, or join the rows of a document"
            )
    return "chunk_id" if "chunk_id" in info.columns else None
