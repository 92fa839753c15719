"""A real browser, a service it visits, and a shop that links to the service.

Without Chromium or its driver the tests are skipped; with ``FAREGATE_BROWSER=required`` they fail.
"""

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import uvicorn
from selenium import webdriver
from starlette.types import ASGIApp

from faregate_server.app import create_app
from support.browser.browsing import Shop, Visitor, in_thread, served_page, wait_until_ready
from support.browser.looking import Looker
from support.payment.registering import settings_of
from support.service.service import Clock

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion"),
)


def program(name: str) -> str:
    """Return the path of a program, or skip the test."""
    found = shutil.which(name)
    if found is None:
        reason = f"{name} is not installed: see tools/debian-packages.sh browser"
        if os.environ.get("FAREGATE_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, driver = program("chromium"), program("chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    try:
        started.set_page_load_timeout(30)
        yield started
    finally:
        started.quit()


SHOP_PAGE = b"<!DOCTYPE html><html lang=en><link rel=icon href='data:,'><title>Shop</title><h1>Shop</h1>"


@pytest.fixture(scope="session")
def shop() -> Iterator[Shop]:
    with served_page(SHOP_PAGE) as address:
        yield Shop(address)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Yield the address at which *app* is served."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def stop() -> None:
            server.should_exit = True

        with in_thread(lambda: server.run(sockets=[listening]), stop):
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Yield the folder of a service and its address."""
    folder = tmp_path_factory.mktemp("service")
    with served(create_app(settings_of(folder))) as address:
        yield folder, address


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Return a context manager that serves an application."""
    return served


@pytest.fixture
def visitor(browser: webdriver.Chrome, service: tuple[Path, str], shop: Shop) -> Iterator[Visitor]:
    """Yield a customer with an account in the browser, whose console must stay empty."""
    visitor = Visitor.new(browser, *service, shop=shop)
    browser.get("about:blank")
    visitor.console()
    yield visitor
    visitor.show()
    assert visitor.console() == []


@pytest.fixture(scope="session")
def resort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a demo resort with the shop page, on 1 December."""
    settings = settings_of(tmp_path_factory.mktemp("resort"), showcase=True)
    with served(create_app(settings, clock=Clock())) as address:
        wait_until_ready(address)
        yield address


@pytest.fixture
def page(browser: webdriver.Chrome, resort: str) -> Iterator[Looker]:
    """Yield a visitor of the resort's page, whose console must stay empty."""
    looker = Looker(browser, resort)
    looker.open()
    yield looker
    looker.hands.show()
    assert looker.hands.console() == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests as slow: a browser takes minutes. `make browser` runs all, `make check` one page."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.slow)
