import subprocess
import sys

import chunkeval

NAMES = [
    "ChunkevalError",
    "ConfigError",
    "GateError",
    "InputError",
    "MissingExtraError",
    "RunError",
    "SourceError",
    "TableError",
    "__version__",
    "audit",
    "calibrate",
    "compare",
    "flag",
    "index",
    "judge",
    "load",
    "rechunk",
    "report",
    "scan",
    "score",
]


def test_public_names_are_these():
    assert sorted(chunkeval.__all__) == NAMES == dir(chunkeval)


def test_version_is_the_packages():
    assert chunkeval.__version__ == "0.1.0"


def test_unknown_name_is_an_attribute_error():
    assert not hasattr(chunkeval, "nosuch")


def test_error_classes_come_from_the_package():
    assert issubclass(chunkeval.TableError, chunkeval.InputError)
    assert chunkeval.GateError.exit_code == 1


def test_bare_import_is_light():
    heavy = {"numpy", "pandas", "torch", "gensim", "matplotlib", "transformers", "cyclopts"}
    code = "import sys, chunkeval, chunkeval.config, chunkeval.results; print(sorted(m for m in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {name for name in heavy if f"'{name}'" in loaded}


def test_a_function_stays_public_when_a_module_of_its_name_is_imported():
    code = (
        "import chunkeval.report.files, chunkeval.score, chunkeval.judge, chunkeval as ce; "
        "print(callable(ce.report), callable(ce.score), callable(ce.judge))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "True True True\n"
