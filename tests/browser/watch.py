"""A page under guard: whatever it should not do is written down, and fails its test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request

# In every document before its own scripts: a policy's refusals, and a canary that hostile text would set.
GUARD = """
    addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    addEventListener("unhandledrejection", (event) => console.error(`rejected: ${event.reason}`));
"""


class Tab:
    """One browser context, as a reader's visit: pages opened in it share storage, and complaints are gathered."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.complaints: list[str] = []
        self.files: set[str] = set()
        self._answers: list[bool] = []
        context.add_init_script(GUARD)
        context.on("page", self._watch)
        context.on("request", self._asked)

    def show(self, path: Path, fragment: str = "", *, ready: bool = True) -> Page:
        """Open a page in a new tab and wait until its first table is drawn."""
        address = path.absolute().as_uri()
        self.files.add(address)
        page = self.context.new_page()
        page.set_default_timeout(15_000)
        page.goto(address + fragment)
        if ready:
            page.wait_for_selector('html[data-ready="true"]', state="attached")
        return page

    def expect_question(self, *, answer: bool) -> None:
        """The page is about to ask something, and gets this answer; any other dialog is a complaint."""
        self._answers.append(answer)

    def _watch(self, page: Page) -> None:
        page.on("console", lambda said: said.type in ("error", "warning") and self._note(f"console: {said.text}"))
        page.on("pageerror", lambda error: self._note(f"error: {error}"))
        page.on("dialog", self._asks)
        page.on("popup", lambda other: self._note(f"another window: {other.url}"))
        page.on("framenavigated", lambda frame: self._went(frame.url))

    def _asked(self, request: Request) -> None:
        address = request.url.partition("#")[0]
        if address not in self.files and not address.startswith(("data:", "blob:")):
            self._note(f"request: {request.method} {request.url}")

    def _went(self, address: str) -> None:
        if address.partition("#")[0] not in self.files | {"about:blank"}:
            self._note(f"went to {address}")

    def _asks(self, dialog: Dialog) -> None:
        if dialog.type == "confirm" and self._answers:
            answer = self._answers.pop(0)
            dialog.accept() if answer else dialog.dismiss()
            return
        self._note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note(self, complaint: str) -> None:
        self.complaints.append(complaint)


@contextmanager
def visit(browser: Browser, **options: Any) -> Iterator[Tab]:
    """Give a fresh context with these options; on leaving, what its pages did wrong is an error."""
    # At rest, since a pointer waits until the page has stopped gliding.
    usual = {"viewport": {"width": 1280, "height": 900}, "offline": True, "reduced_motion": "reduce"}
    context = browser.new_context(**{**usual, **options})
    try:
        tab = Tab(context)
        yield tab
        for page in context.pages:
            assert page.evaluate("typeof window.__pwned") == "undefined", "hostile text was run"
        assert tab.complaints == []
    finally:
        context.close()
