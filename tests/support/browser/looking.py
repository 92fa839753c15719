"""A visitor of the shop page of the running service."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
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


class Day(NamedTuple):
    """A day in the calendar, ``closed`` or with a shade."""

    day: str
    look: str
    label: str
    price: str


@dataclass(frozen=True, slots=True)
class Looker:
    """A visitor of the page at *address*."""

    browser: Chrome
    address: str
    channel: str = WEBSHOP

    @property
    def hands(self) -> Visitor:
        """The keyboard and screen of this visitor."""
        return Visitor(self.browser, self.address, Shop(""), "")

    # ------------------------------------------------------------ actions

    def open(self, language: str = "en") -> None:
        """Open the page without a basket and wait until it is complete."""
        self.hands.console()
        self.browser.get(f"{self.address}/")
        self.browser.execute_script("sessionStorage.clear()")
        self.visit(language)

    def visit(self, language: str = "en") -> None:
        """Open the page, keeping the basket."""
        self.browser.get(f"{self.address}/?language={language}")
        self.wait(lambda: self.all("#gauge > p"))

    def choose(self, name: str, value: object) -> None:
        """Choose from a list and wait for the dependent content."""
        before = self.one("#gauge > *")
        Select(self.one(f"#{name}")).select_by_value(str(value))
        self.wait(lambda: _is_gone(before))

    def pick(self, day: str) -> None:
        """Choose a day."""
        self.browser.execute_script("arguments[0].click()", self.one(f"[data-day='{day}']"))
        self.wait(lambda: self.one(f"[data-day='{day}']").get_attribute("aria-pressed") == "true")

    def add(self) -> None:
        """Add the choice to the basket."""
        before = len(self.all("#items ol > li"))
        self.press("#add")
        self.wait(lambda: len(self.all("#items ol > li")) == before + 1)
        self.wait(lambda: self.one("#add").is_enabled())

    def enter(self, code: str) -> None:
        """Enter a code and wait until the basket shows it."""
        self.one("#code").clear()
        self.one("#code").send_keys(code)
        self.press("#codes button")
        self.wait(lambda: code in self.text("#items .codes"))

    def press(self, selector: str) -> None:
        """Click on an element."""
        self.browser.execute_script("arguments[0].click()", self.one(selector))

    def open_all(self) -> None:
        """Click on every amount."""
        self.browser.execute_script(
            "document.querySelectorAll('button.figure').forEach((one) => one.click())"
        )

    def fill(self) -> None:
        """Add three tickets, two of them alike, and a code to the basket."""
        self.add()
        self.choose("product", "day-ticket")
        self.pick("2026-12-13")
        self.add()
        self.add()
        self.enter("WINTER10")

    # ------------------------------------------------------------ observations

    def picture(self, name: str) -> None:
        """Save a screenshot if a folder is set."""
        self.hands.picture(f"showcase-{name}")

    def wait(self, found: Callable[[], object]) -> Any:
        """Wait for a truthy result of *found* and return it."""
        waiting = WebDriverWait(self.browser, 20, 0.05, [StaleElementReferenceException])
        return waiting.until(lambda _: found())

    def all(self, selector: str) -> list[WebElement]:
        """Return all elements that match."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """Return the first element that matches."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return self.one(selector).text

    def days(self) -> list[Day]:
        """Return the days of the calendar."""
        script = """return [...document.querySelectorAll("#months button")].map((one) => [
            one.dataset.day, one.className, one.title, one.querySelector(".price").textContent])"""
        return [Day(*found) for found in self.browser.execute_script(script)]

    def texts(self) -> Json:
        """Return the texts of the page by language."""
        script = (
            "const done = arguments[0]; import('/showcase/texts.js').then(m => done(JSON.stringify(m.TEXTS)))"
        )
        found: Json = json.loads(self.browser.execute_async_script(script))
        return found

    def checkout(self) -> str:
        """The path of the checkout that the page stores."""
        kept = self.browser.execute_script("return sessionStorage.getItem('faregate.basket')")
        return f"/api/checkout/{kept}"

    def ask(self, path: str, **query: Any) -> Json:
        """Return the response to an anonymous request."""
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
    """Return a displayed amount, such as ``CHF 1'234.50`` or ``−0.05``."""
    (found,) = re.findall(r"-?[0-9][0-9'’]*(?:\.[0-9]+)?", text.replace("−", "-"))
    return Decimal(found.replace("'", "").replace("’", ""))
