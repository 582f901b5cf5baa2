"""Find the machine's Chromium and start it without a window and without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIX = "no browser: `apt-get install chromium fonts-nanum`, or name one in the variable CHROMIUM"

# It runs as root in a container; nothing of its own may reach for the network while requests are counted.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync")


def found() -> str | None:
    """Path of the browser, from the variable CHROMIUM or by its usual names."""
    return next((path for name in (os.environ.get("CHROMIUM"), *NAMES) if name and (path := shutil.which(name))), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start it; without one the test is skipped, or fails where CHUNKEVAL_BROWSER says that one is required."""
    path = found()
    if path is None:
        if os.environ.get("CHUNKEVAL_BROWSER") == "required":
            pytest.fail(FIX, pytrace=False)
        pytest.skip(FIX)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()
