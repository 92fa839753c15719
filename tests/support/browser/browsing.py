"""A customer in a browser who registers payment details and uses the keyboard."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import httpx2
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait

from faregate_http.protocol.instants import now
from faregate_http.store.contract import StoreUnavailable
from faregate_server.identity.access_tokens import AccessTokens
from faregate_server.store.opening import open_store
from support.payment.registering import DETAILS, new_account, settings_of
from support.service.service import WEBSHOP, Json

_START_SECONDS = 30

SCREENS = os.environ.get("FAREGATE_SCREENSHOTS")
"""Folder for screenshots; by default none are taken."""

PHONE = {"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": True}


# Text colour and background colour of all visible texts as numbers, with the text size.
_COLOURS = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const behind = (place) => {
  for (; place; place = place.parentElement) {
    const colour = numbers(getComputedStyle(place).backgroundColor);
    if (colour.length < 4 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const place of document.querySelectorAll("body *")) {
  const said = [...place.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const isOff = place.closest("button:disabled, .unseen, select, script, noscript");
  if (!said || isOff || !place.checkVisibility()) continue;
  const style = getComputedStyle(place);
  found.push([place.textContent.trim().slice(0, 30), numbers(style.color), behind(place)]);
}
return found;
"""


class Shop(NamedTuple):
    """The shop that customers return to."""

    address: str

    def pages(self) -> dict[str, str]:
        """The shop's pages for the three results."""
        return {name: f"{self.address}/{name}?order=7" for name in ("success", "error", "cancel")}


@contextmanager
def served_page(body: bytes, *, host: str = "127.0.0.1") -> Iterator[str]:
    """Yield the origin of a server that answers every path with the page *body*."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Log nothing."""

    server = ThreadingHTTPServer((host, 0), Page)
    with server, in_thread(server.serve_forever, server.shutdown):
        yield f"http://{host}:{server.server_port}"


@contextmanager
def in_thread(run: Callable[[], object], stop: Callable[[], object]) -> Iterator[None]:
    """Run a server in a thread; stop it after the block."""
    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop()
        thread.join(30)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A customer of the service at *address*, in a *browser*."""

    browser: Chrome
    address: str
    shop: Shop
    token: str

    @classmethod
    def new(cls, browser: Chrome, folder: Path, address: str, *, shop: Shop) -> "Visitor":
        """Return a new customer."""
        wait_until_ready(address)
        settings = settings_of(folder)
        account = new_account()

        async def save() -> None:
            store = open_store(settings.database)
            try:
                await store.save(None, records=[account])
            finally:
                await store.close()

        asyncio.run(save())
        assert settings.secret is not None
        return cls(browser, address, shop, AccessTokens(settings.secret, now).issue(account.id))

    def _ask(self, method: str, path: str, *, language: str = "en", body: Json | None = None) -> Any:
        headers = {
            "authorization": f"Bearer {self.token}",
            "service-channel-uuid": WEBSHOP,
            "accept-language": language,
        }
        response = httpx2.request(
            method, f"{self.address}{path}", headers=headers, json=body, timeout=30, trust_env=False
        )
        assert response.status_code == 200, response.text
        return response.json()["data"]

    def register(self, *methods: str, language: str = "en", is_default: bool = True) -> Json:
        """Begin a registration; return its transaction id and the address of its page."""
        body = {
            "redirectUrls": self.shop.pages(),
            "isDefault": is_default,
            "paymentMethods": list(methods or ("VIS", "TWI")),
        }
        registered: Json = self._ask("POST", f"{DETAILS}/register", language=language, body=body)
        return registered

    def open(self, *methods: str, language: str = "en") -> str:
        """Begin a registration and open its page; return its transaction id."""
        registered = self.register(*methods, language=language)
        self.browser.get(registered["redirectUrl"])
        transaction: str = registered["transactionId"]
        return transaction

    def detail(self, transaction: str) -> Json:
        """Return the payment detail of a registration."""
        details = self._ask("GET", DETAILS)
        [found] = [detail for detail in details if detail["transactionId"] == transaction]
        return found  # type: ignore[no-any-return]

    # ------------------------------------------------------------ interaction

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def tab_to(self, name: str, value: str | None = None) -> None:
        """Press Tab until a control with that name and value has the focus."""
        for _ in range(30):
            self.press(Keys.TAB)
            focused = self.browser.switch_to.active_element
            is_it = focused.get_attribute("name") == name
            if is_it and value in {None, focused.get_attribute("value")}:
                return
        raise AssertionError(f"Tab does not reach {name} {value}")

    def arrives(self, url: str) -> None:
        """Wait until the browser is at *url*."""
        WebDriverWait(self.browser, 10).until(expected_conditions.url_to_be(url))

    def choose(self, action: str) -> None:
        """Press one of the three buttons and wait for the shop."""
        self.browser.find_element(By.CSS_SELECTOR, f"[value={action}]").click()
        WebDriverWait(self.browser, 10).until(expected_conditions.url_contains(self.shop.address))

    def reads(self, heading: str) -> None:
        """Wait until the page has that heading."""
        first = (By.TAG_NAME, "h1")
        WebDriverWait(self.browser, 10).until(
            expected_conditions.text_to_be_present_in_element(first, heading)
        )

    def look(self, width: int, height: int, *, is_dark: bool = False) -> None:
        """Use a screen of that size, in light or dark mode."""
        metrics = {**PHONE, "width": width, "height": height, "mobile": width < 600}
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def contrasts(self) -> list[tuple[str, float]]:
        """Return the start of each visible text, and its contrast with the background."""
        return [(text, _contrast(*colours)) for text, *colours in self.run(_COLOURS)]

    def picture(self, name: str) -> None:
        """Save a screenshot if a folder is set."""
        if SCREENS:
            self.browser.get_screenshot_as_file(str(Path(SCREENS, f"{name}.png")))

    def requested(self) -> set[str]:
        """Return the URLs requested since the last call, except data."""
        self.browser.execute_cdp_cmd("Network.enable", {})
        noted: Any = self.browser.get_log("performance")  # type: ignore[no-untyped-call]
        events = [json.loads(entry["message"])["message"] for entry in noted]
        sent = [event for event in events if event["method"] == "Network.requestWillBeSent"]
        urls = {str(event["params"]["request"]["url"]) for event in sent}
        return {url for url in urls if not url.startswith("data:")}

    def show(self) -> None:
        """Restore the usual screen."""
        self.look(1024, 768)

    def console(self) -> list[Json]:
        """Return the console entries since the last call."""
        return list(self.browser.get_log("browser"))  # type: ignore[no-untyped-call]

    def run(self, script: str) -> Any:
        """Return the result of a script on the page."""
        return self.browser.execute_script(script)


def _luminance(colour: list[float]) -> float:
    """Return the relative luminance as defined by WCAG 2.2."""
    parts = [part / 255 for part in colour[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: list[float], other: list[float]) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def wait_until_ready(address: str) -> None:
    """Wait until the service at *address* is ready."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{address}/health/ready", timeout=5, trust_env=False).status_code == 200:
                return
        except (httpx2.TransportError, StoreUnavailable):
            time.sleep(0.05)
    raise AssertionError("the service does not become ready")
