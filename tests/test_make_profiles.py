import importlib.util
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "make_profiles.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_profiles", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_profile_states_the_best_limit_of_each_side(script):
    low = np.array([0.5, 0.6, 0.7, np.nan]), np.array([0.1, 0.2])
    high = np.array([-5.0, -4.0]), np.array([0.0, 1.0, 2.0])
    made = script.make("use-multilingual", "ko", {"similarity_centred": low, "topic_entropy_z": high})
    assert (made["embedder"], made["language"], made["schema"]) == ("use-multilingual", "ko", 1)
    assert made["limits"]["similarity_centred"] == {
        "limit": 0.35,
        "balanced_accuracy": 1.0,
        "auroc": 1.0,
        "good": 3,
        "bad": 2,
        "percentiles": [0.502, 0.698],
    }
    assert made["limits"]["topic_entropy_z"]["limit"] == -2.0
