"""A page of another origin sells tickets: the browser gives it every response it needs, but no other page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from support.browser.browsing import served_page
from support.processes.program import Program, program
from support.service.service import WEBSHOP, Json

PAGE = (Path(__file__).parents[2] / "support" / "browser" / "shop_page.html").read_bytes()


@pytest.fixture(scope="module")
def resort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Yield the demo resort as a developer serves it."""
    with program(tmp_path_factory.mktemp("resort"), "--dev") as served:
        yield served


def visit(browser: Chrome, shop: str, resort: Program) -> None:
    """Open the shop as a customer who has logged in at the identity provider."""
    browser.get_log("browser")  # type: ignore[no-untyped-call]  # what others have left there
    who = {"subject": "ada", "email": "ada@byron.example"}
    issued = httpx2.post(f"{resort.address}/dev/identity/token", json=who, trust_env=False).json()
    browser.get(f"{shop}/#service={quote(resort.address)}&idToken={issued['id_token']}")


def text(browser: Chrome, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def arrives(browser: Chrome, address: str) -> None:
    """Wait until the browser is at *address* or the page shows a problem."""
    wait = WebDriverWait(browser, 20)
    wait.until(lambda _: browser.current_url.startswith(address) or text(browser, "#problem"))
    assert browser.current_url.startswith(address), text(browser, "#problem")


def steps(browser: Chrome) -> dict[str, str]:
    """Return the steps that the page has completed, with their results."""
    terms, descriptions = (browser.find_elements(By.TAG_NAME, name) for name in ("dt", "dd"))
    return {term.text: said.text for term, said in zip(terms, descriptions, strict=True)}


def console(browser: Chrome) -> list[str]:
    entries: list[Json] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in entries]


def requests_of(resort: Program) -> list[str]:
    """Return the resort's numbers of responses by operation and status."""
    counts = httpx2.get(f"{resort.address}/metrics", trust_env=False).text
    counted = re.findall(r'faregate_requests_total{operation="(\w+)",status="(\d+)"} (\d+)', counts)
    return [" ".join(count) for count in counted if count[0] not in {"none", "preflight"}]


def test_a_page_of_a_listed_origin_sells_tickets(browser: Chrome, resort: Program) -> None:
    with served_page(PAGE) as shop:
        visit(browser, shop, resort)
        arrives(browser, resort.address)
        browser.find_element(By.CSS_SELECTOR, "[value=succeed]").click()
        arrives(browser, shop)
        WebDriverWait(browser, 20).until(lambda _: text(browser, "dl"))
        problem, reference, done = text(browser, "#problem"), text(browser, "#reference"), steps(browser)
        kept = json.loads(browser.execute_script("return sessionStorage.getItem('shop')"))
        browser.get("about:blank")

    assert problem == ""
    assert re.fullmatch(r'"[0-9a-f]{32}\.en-gzip" 304', done["product"])
    assert re.fullmatch(r'</api/booking/products/11/journey/validities\?.*>; rel="next"', done["link"])
    assert re.fullmatch(r'2 "1\.OPEN\.en\.[0-9a-f]{8}-gzip"', done["items"])
    assert done["code"] == "WINTER10 true"
    assert done["refused"] == "412 changed-meanwhile"
    assert (done["card"], done["paid"]) == ("**** 0001", "CLOSED")
    headers = {"service-channel-uuid": WEBSHOP, "authorization": f"Bearer {kept['token']}"}
    order = httpx2.get(f"{resort.address}{kept['checkout']}", headers=headers, trust_env=False).json()["data"]
    assert (order["status"], order["referenceNumber"]) == ("CLOSED", reference)
    assert len(order["items"]) == 2
    assert [message for message in console(browser) if "412" not in message] == []


def test_a_page_of_another_origin_is_blocked(browser: Chrome, resort: Program) -> None:
    before = requests_of(resort)
    with served_page(PAGE, host="127.0.0.2") as shop:
        visit(browser, shop, resort)
        WebDriverWait(browser, 20).until(lambda _: text(browser, "#problem"))
        problem, reference, done = text(browser, "#problem"), text(browser, "#reference"), steps(browser)
        messages = console(browser)
        browser.get("about:blank")

    assert problem == "TypeError: Failed to fetch"
    assert (reference, done) == ("", {})
    assert any("blocked by CORS policy" in message for message in messages)
    assert requests_of(resort) == before
