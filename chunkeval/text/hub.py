"""The model hub: whether it has a model, asked once and briefly."""

from __future__ import annotations

import logging

_SECONDS = 10.0


def on_hub(name: str) -> bool:
    """Ask the model hub, once and briefly, whether it has a model."""
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(name, timeout=_SECONDS)
    except Exception as error:  # each HTTP client that the hub's library may use has errors of its own
        logging.getLogger(__name__).debug("the model hub does not give %s: %s", name, error)
        return False
    return True
