"""One browser for each file of end-to-end tests, a page for each test.

Not one for all files: while Playwright lives, no asynchronous test can run in the same thread.
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
