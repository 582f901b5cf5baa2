"""``chunkeval show``: one chunk of a run."""

from __future__ import annotations

from pathlib import Path

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, visible


@takes(also=("out",), out="Write the result to this file.")
def show_command(run: str, identity: str, /, *, given: Given) -> None:
    """Show one chunk of a run: its text by sentences with the weakest place, its scores against the limits, its neighbours.

    Parameters
    ----------
    run
        Folder of the run.
    identity
        Its chunk_id.
    """
    from chunkeval.runs import open_run
    from chunkeval.show import lines, show

    shown = show(open_run(Path(run)), identity)
    hand_over(shown.to_dict(), (visible(line) for line in lines(shown)), given)
