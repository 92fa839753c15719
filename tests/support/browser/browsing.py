"""A customer in a browser who registers payment details and uses the keyboard."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
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
PHONE = {"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": True}


class Shop(NamedTuple):
    """The shop that customers return to."""

    address: str

    def pages(self) -> dict[str, str]:
        """The shop's pages for the three results."""
        return {name: f"{self.address}/{name}?order=7" for name in ("success", "error", "cancel")}


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
        _wait_until_ready(address)
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

    def show(self) -> None:
        """Restore the usual screen."""
        self.look(1024, 768)

    def console(self) -> list[Json]:
        """Return the console entries since the last call."""
        return list(self.browser.get_log("browser"))  # type: ignore[no-untyped-call]

    def run(self, script: str) -> Any:
        """Return the result of a script on the page."""
        return self.browser.execute_script(script)


def _wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{address}/health/ready", timeout=5, trust_env=False).status_code == 200:
                return
        except (httpx2.TransportError, StoreUnavailable):
            time.sleep(0.05)
    raise AssertionError("the service does not become ready")
