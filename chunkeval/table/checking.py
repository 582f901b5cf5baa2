"""A table in memory, held to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkeval.config import LoadConfig
from chunkeval.table.chunks import batch_of, chunk_tables, frame_of
from chunkeval.table.planning import plan

if TYPE_CHECKING:
    import pandas as pd


def check(frame: pd.DataFrame) -> pd.DataFrame:
    """Hold a table in memory to the chunk table's rules.

    Parameters
    ----------
    frame
        At least a column ``text``; of the other core columns, what is missing is made.

    Returns
    -------
    pandas.DataFrame
        A new frame: core columns with their types, then the metadata.

    Raises
    ------
    TableError
        A text is null, an id repeats, a column is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> table = check(pd.DataFrame({"text": ["첫 문장이다.", "둘째."], "doc_id": ["a", "a"], "쪽": [3, 4]}))
    >>> list(table.columns), table.position.tolist(), table["쪽"].tolist()
    (['chunk_id', 'doc_id', 'position', 'text', 'start', 'end', 'spans', '쪽'], [0, 1], [3, 4])
    """
    import pyarrow as pa

    batches = [batch_of(frame)]
    given = LoadConfig(
        text="text",
        doc="doc_id" if "doc_id" in frame.columns else None,
        id="chunk_id" if "chunk_id" in frame.columns else None,
    )
    return frame_of(pa.concat_tables(chunk_tables(plan(batches, given), batches)))
