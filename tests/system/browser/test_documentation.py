"""The API documentation in a real browser: it shows all operations and contacts only the service."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from support.browser.browsing import Visitor
from support.specification.openapi_conformity import DOCUMENT

OPERATIONS = {
    (method.upper(), path) for path, operations in DOCUMENT["paths"].items() for method in operations
}


def wait(browser: Chrome, found: Any) -> Any:
    return WebDriverWait(browser, 20).until(found)


def shown(browser: Chrome) -> set[tuple[str, str]]:
    """Return method and path of the operations on the page; a path may contain invisible break points."""
    return {
        (
            block.find_element(By.CLASS_NAME, "opblock-summary-method").text,
            block.find_element(By.CLASS_NAME, "opblock-summary-path").text.replace("\u200b", ""),
        )
        for block in browser.find_elements(By.CLASS_NAME, "opblock")
    }


@pytest.fixture
def page(visitor: Visitor) -> Iterator[Visitor]:
    """Yield a visitor of the page whose requests are recorded."""
    visitor.requested()
    visitor.browser.get(f"{visitor.address}/docs")
    wait(visitor.browser, lambda browser: len(shown(browser)) == len(OPERATIONS))
    yield visitor
    visitor.browser.get("about:blank")


def test_all_operations_are_shown_without_contacting_other_hosts(page: Visitor) -> None:
    asked = page.requested()

    assert shown(page.browser) == OPERATIONS
    assert page.browser.title == "faregate API reference"
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(page.address).netloc}
    assert f"{page.address}/openapi.json" in asked
    page.picture("documentation")


def test_the_policy_blocks_no_part_of_the_page(page: Visitor) -> None:
    page.browser.find_element(
        By.CSS_SELECTOR, "#operations-checkout-addItems .opblock-summary-control"
    ).click()
    wait(page.browser, lambda browser: browser.find_elements(By.CLASS_NAME, "responses-table"))
    page.picture("documentation-operation")

    assert "productVariantId" in page.browser.page_source
    assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
    assert page.console() == []


def test_an_operation_can_be_tried_out_with_its_examples(page: Visitor) -> None:
    browser = page.browser
    block = browser.find_element(By.ID, "operations-pricing-priceAccess")
    block.find_element(By.CLASS_NAME, "opblock-summary-control").click()
    wait(browser, lambda _: block.find_elements(By.CLASS_NAME, "try-out__btn"))[0].click()
    execute = wait(browser, lambda _: block.find_elements(By.CLASS_NAME, "execute"))[0]
    browser.execute_script("arguments[0].click()", execute)

    live = wait(browser, lambda _: block.find_elements(By.CSS_SELECTOR, ".live-responses-table .response"))
    answered = wait(browser, lambda _: live[0].text)

    assert "200" in answered
    assert "calculated_price_cents" in answered
    assert page.console() == []


def test_the_page_fits_on_a_phone_too(page: Visitor) -> None:
    page.look(390, 800)

    assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
    page.picture("documentation-phone")
