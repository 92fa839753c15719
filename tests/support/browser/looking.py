"""Somebody who looks at the page of the running service."""

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from support.browser.browsing import Shop, Visitor
from support.service.service import WEBSHOP, Json

SCREENS = os.environ.get("FAREGATE_SCREENSHOTS")
"""A folder for pictures of what was looked at; by default none are taken."""

_START_SECONDS = 30


def wait_until_ready(address: str) -> None:
    """Wait until the service at *address* answers."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            httpx2.get(f"{address}/health/live", timeout=5, trust_env=False)
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the service does not begin")


class Day(NamedTuple):
    """A day as the calendar shows it: it is ``closed``, or of a shade."""

    day: str
    look: str
    label: str
    price: str


@dataclass(frozen=True, slots=True)
class Looker:
    """Someone before the page at *address*; what the browser notes is in its console."""

    browser: Chrome
    address: str
    channel: str = WEBSHOP

    @property
    def hands(self) -> Visitor:
        """What this person does with keys and screens."""
        return Visitor(self.browser, self.address, Shop(""), "")

    # ------------------------------------------------------------ doing

    def open(self, language: str = "en") -> None:
        """Open the page, without a basket, and wait until it shows all."""
        self.hands.console()
        self.browser.get(f"{self.address}/")
        self.browser.execute_script("sessionStorage.clear()")
        self.visit(language)

    def visit(self, language: str = "en") -> None:
        """Open the page as it is."""
        self.browser.get(f"{self.address}/?language={language}")
        self.wait(lambda: self.all("#gauge > p"))

    def choose(self, name: str, value: object) -> None:
        """Choose from a list, and wait until what depends on it is there."""
        before = self.one("#gauge > *")
        Select(self.one(f"#{name}")).select_by_value(str(value))
        self.wait(lambda: _is_gone(before))

    def pick(self, day: str) -> None:
        """Choose a day."""
        self.browser.execute_script("arguments[0].click()", self.one(f"[data-day='{day}']"))
        self.wait(lambda: self.one(f"[data-day='{day}']").get_attribute("aria-pressed") == "true")

    def add(self) -> None:
        """Add what is chosen to the basket."""
        before = len(self.all("#items ol > li"))
        self.press("#add")
        self.wait(lambda: len(self.all("#items ol > li")) == before + 1)
        self.wait(lambda: self.one("#add").is_enabled())

    def enter(self, code: str) -> None:
        """Enter a code, and wait until it stands in the basket."""
        self.one("#code").clear()
        self.one("#code").send_keys(code)
        self.press("#codes button")
        self.wait(lambda: code in self.text("#items .codes"))

    def press(self, selector: str) -> None:
        """Click on something."""
        self.browser.execute_script("arguments[0].click()", self.one(selector))

    def open_all(self) -> None:
        """Click on every amount."""
        self.browser.execute_script(
            "document.querySelectorAll('button.figure').forEach((one) => one.click())"
        )

    def fill(self) -> None:
        """Put three tickets into the basket, two of them alike, and a code."""
        self.add()
        self.choose("product", "day-ticket")
        self.pick("2026-12-13")
        self.add()
        self.add()
        self.enter("WINTER10")

    # ------------------------------------------------------------ seeing

    def picture(self, name: str) -> None:
        """Keep what is seen, if somebody wants to look at it."""
        if SCREENS:
            self.browser.get_screenshot_as_file(str(Path(SCREENS, f"showcase-{name}.png")))

    def wait(self, found: Callable[[], object]) -> Any:
        """What is found, sooner or later."""
        waiting = WebDriverWait(self.browser, 20, 0.05, [StaleElementReferenceException])
        return waiting.until(lambda _: found())

    def all(self, selector: str) -> list[WebElement]:
        """All that is there of a kind."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """The first of a kind."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """What stands there."""
        return self.one(selector).text

    def days(self) -> list[Day]:
        """The days of the calendar."""
        script = """return [...document.querySelectorAll("#months button")].map((one) => [
            one.dataset.day, one.className, one.title, one.querySelector(".price").textContent])"""
        return [Day(*found) for found in self.browser.execute_script(script)]

    def texts(self) -> Json:
        """What the page says, by language."""
        script = (
            "const done = arguments[0]; import('/showcase/texts.js').then(m => done(JSON.stringify(m.TEXTS)))"
        )
        found: Json = json.loads(self.browser.execute_async_script(script))
        return found

    def checkout(self) -> str:
        """The path of the checkout that the page keeps."""
        kept = self.browser.execute_script("return sessionStorage.getItem('faregate.basket')")
        return f"/api/checkout/{kept}"

    def ask(self, path: str, **query: Any) -> Json:
        """What the service answers to anybody."""
        headers = {"service-channel-uuid": self.channel, "accept-language": "en"}
        response = httpx2.get(
            f"{self.address}{path}", params=query, headers=headers, timeout=30, trust_env=False
        )
        assert response.status_code == 200, response.text
        return json.loads(response.content, parse_float=Decimal)  # type: ignore[no-any-return]


def _is_gone(element: WebElement) -> bool:
    try:
        element.is_enabled()
    except StaleElementReferenceException:
        return True
    return False


def number(text: str) -> Decimal:
    """An amount as it is shown: ``CHF 1'234.50``, ``−0.05``."""
    (found,) = re.findall(r"-?[0-9][0-9'’]*(?:\.[0-9]+)?", text.replace("−", "-"))
    return Decimal(found.replace("'", "").replace("’", ""))
