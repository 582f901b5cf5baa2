"""The outlier table as a reader sees it: which rows are there, in what order."""

from __future__ import annotations

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page

ROWS = "#outliers tbody tr[data-row]:not(.detail)"


def here(page: Page) -> list[int]:
    """Places in the frame of the rows on this page of the table."""
    found: list[int] = page.eval_on_selector_all(ROWS, "rows => rows.map(row => Number(row.dataset.row))")
    return found


def everywhere(page: Page) -> list[int]:
    """The same over all its pages, from the first on; the table is left on the last one."""
    turn(page, "first")
    found = here(page)
    while turn(page, "next"):
        found += here(page)
    return found


def turn(page: Page, where: str) -> bool:
    """Go to another page of the table; False where there is none."""
    button = page.locator(f"#pager button[data-page={where}]")
    if not button.is_visible() or button.is_disabled():
        return False
    # Without the pointer, which waits until the page has stopped scrolling.
    button.evaluate("button => button.click()")
    return True


def worst_first(frame: pd.DataFrame) -> list[int]:
    """Places of the flagged chunks by severity, then in the input's order."""
    flagged = np.flatnonzero(frame["flagged"].to_numpy(bool))
    return [int(row) for row in flagged[np.argsort(-frame["severity"].to_numpy(float)[flagged], kind="stable")]]


def row_of(page: Page, row: int) -> Locator:
    """A row of the table by its chunk's place in the frame."""
    return page.locator(f'#outliers tbody tr[data-row="{row}"]:not(.detail)')


def opened(page: Page, row: int) -> Locator:
    """The opened chunk below a row; clicks the row open where it is not."""
    button = row_of(page, row).locator("button.open")
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    return page.locator(f'#outliers tbody tr.detail[data-row="{row}"] article.chunk')


def place(frame: pd.DataFrame, chunk_id: str) -> int:
    """A chunk's place in the frame."""
    (found,) = np.flatnonzero((frame["chunk_id"] == chunk_id).to_numpy())
    return int(found)
