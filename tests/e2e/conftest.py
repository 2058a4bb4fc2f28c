"""One browser per file of end-to-end tests, a page for each test.

The browser's driver runs an event loop in this thread, so it must be gone before tests with a loop of their own begin.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.fixtures.desk import a_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with a_browser() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 850}, locale="en-US")
    yield context.new_page()
    context.close()
