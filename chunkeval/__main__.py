"""``python -m chunkeval``."""

from chunkeval.cli.main import run

run()
