"""The basket of the shop page always shows one state of the checkout, or a way to start a new one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import pytest
from selenium.webdriver import Chrome

from faregate.files import load_catalogue
from faregate_server.app import create_app
from faregate_server.demo.showcase.sold import shown_channel
from support.browser.browsing import wait_until_ready
from support.browser.looking import Looker, number
from support.payment.registering import settings_of
from support.service.service import Clock

VILLAGE = Path(__file__).parents[2] / "support" / "catalogues" / "village.yaml"

Serve = Callable[..., AbstractContextManager[str]]


# The first requested explanation arrives late.
LATE = """
const send = window.fetch;
let isFirst = true;
window.fetch = async (url, request) => {
  const isLate = isFirst && url.endsWith("/explanation");
  if (isLate) {
    isFirst = false;
    await new Promise((done) => setTimeout(done, 400));
  }
  const answer = await send(url, request);
  window.hasCome = window.hasCome || isLate;
  return answer;
};
"""

# Another client removes an item before the first explanation.
ELSEWHERE = """
const send = window.fetch;
let isFirst = true;
window.fetch = async (url, request) => {
  if (isFirst && url.endsWith("/explanation")) {
    isFirst = false;
    const path = url.replace("/explanation", `/items?itemId=${given}`);
    await send(path, { ...request, method: "DELETE" });
  }
  return send(url, request);
};
"""


def shows_what_is_kept(page: Looker) -> bool:
    """Return whether each item's amount equals the checkout's and the sum of its steps."""
    page.open_all()
    checkout = page.ask(page.checkout())["data"]
    shown = [number(place.text) for place in page.all("#items ol .figure b")]
    sums = [number(place.text) for place in page.all("#items ol tbody:first-of-type .sum td")]
    return shown == sums == [item["totalGross"] for item in checkout["items"]]


def test_items_removed_at_the_same_time_both_disappear(page: Looker) -> None:
    page.fill()
    page.browser.execute_script(LATE)

    page.browser.execute_script(
        "[...document.querySelectorAll('#items ol .remove')].slice(0, 2).forEach((one) => one.click())"
    )

    page.wait(lambda: len(page.all("#items ol > li")) == 1)
    page.wait(lambda: page.hands.run("return document.activeElement.id") == "basket-title")
    assert page.text("#problem") == ""
    assert shows_what_is_kept(page)


def test_amounts_and_steps_agree_after_a_change_by_somebody_else(page: Looker) -> None:
    page.fill()
    last = page.ask(page.checkout())["data"]["items"][-1]["id"]
    page.browser.execute_script(f"const given = {last}; {ELSEWHERE}")

    page.press("#items ol .remove")

    page.wait(lambda: len(page.all("#items ol > li")) == 1)
    assert page.text("#problem") == ""
    assert shows_what_is_kept(page)


def test_a_basket_abandoned_while_it_changes_does_not_come_back(page: Looker) -> None:
    page.fill()
    page.browser.execute_script(LATE)

    page.browser.execute_script(
        "document.querySelector('#items ol .remove').click(); document.querySelector('.held button').click()"
    )

    page.wait(lambda: page.hands.run("return window.hasCome"))
    empty = page.texts()["en"]["empty"]
    page.wait(lambda: page.text("#items") == empty)
    page.add()
    assert len(page.all("#items ol > li")) == 1
    assert page.text("#problem") == ""


@dataclass(frozen=True, slots=True)
class Village:
    """A small resort whose catalogue and clock can change, before a *browser*."""

    browser: Chrome
    serve: Serve
    folder: Path
    clock: Clock = field(default_factory=Clock)

    @contextmanager
    def opened(self, text: str = VILLAGE.read_text()) -> Iterator[Looker]:
        """Yield a visitor of its page with the catalogue *text*; console entries are discarded."""
        catalogue = self.folder / "village.yaml"
        catalogue.write_text(text)
        settings = settings_of(self.folder, showcase=True, catalogue=catalogue)
        channel = shown_channel(load_catalogue(catalogue)).uuid
        with self.serve(create_app(settings, clock=self.clock)) as address:
            wait_until_ready(address)
            looker = Looker(self.browser, address, channel)
            looker.open()
            yield looker
            self.browser.get("about:blank")
            looker.hands.console()


@pytest.fixture
def village(browser: Chrome, serve: Serve, tmp_path: Path) -> Village:
    return Village(browser, serve, tmp_path)


def revisit(looker: Looker, checkout: str) -> str:
    """Revisit the page with a checkout; return the message."""
    looker.browser.execute_script(f"sessionStorage.setItem('faregate.basket', '{checkout}')")
    looker.visit()
    said: str = looker.wait(lambda: looker.text("#items [role=alert]"))
    return said


def begin_anew(looker: Looker) -> None:
    """Start the new basket that the page offers."""
    assert not looker.one("#codes").is_displayed()
    looker.press("#items button")
    looker.wait(lambda: looker.text("#items") == looker.texts()["en"]["empty"])
    looker.add()
    looker.wait(lambda: looker.text("#problem") == "")


def test_a_basket_of_discontinued_products_can_be_replaced(village: Village) -> None:
    with village.opened() as looker:
        looker.add()
        checkout = looker.checkout().rpartition("/")[2]

    with village.opened(VILLAGE.read_text().replace("id: 101", "id: 109")) as looker:
        said = revisit(looker, checkout)
        assert "no longer sold" in said
        assert "unknown variant 101" in said
        begin_anew(looker)


def test_an_unavailable_basket_can_be_replaced(village: Village) -> None:
    """The checkout does not exist or belongs to an account: both get the same response."""
    with village.opened() as looker:
        said = revisit(looker, str(uuid4()))

        assert "checkout" in said
        begin_anew(looker)


def test_an_expired_basket_can_be_replaced(village: Village) -> None:
    with village.opened() as looker:
        looker.add()
        village.clock.turn(minutes=31)
        looker.visit()

        looker.wait(lambda: looker.text("#items [role=alert]") == looker.texts()["en"]["over"])
        begin_anew(looker)


def test_expiry_is_reported_when_an_item_is_added(village: Village) -> None:
    with village.opened() as looker:
        looker.add()
        village.clock.turn(minutes=31)
        looker.press("#add")

        looker.wait(lambda: looker.text("#items [role=alert]") == looker.texts()["en"]["over"])
        assert "expired" in looker.wait(lambda: looker.text("#problem"))
        begin_anew(looker)


def priced(currency: str, adult: str) -> str:
    """Return the catalogue in another currency, with another price for adults."""
    text = VILLAGE.read_text().replace("currency: CHF", f"currency: {currency}", 1)
    return text.replace("{amount: 79}", f"{{amount: {adult}}}")


PRICES = [
    ("KWD", "32.005", "32.005"),
    ("KWD", "32", "32"),
    ("IQD", "32.005", "32.005"),
    ("CHF", "12.5", "12.50"),
]


@pytest.mark.parametrize(("currency", "adult", "written"), PRICES)
def test_prices_have_the_decimals_of_their_currency_unless_all_are_whole(
    village: Village, currency: str, adult: str, written: str
) -> None:
    with village.opened(priced(currency, adult)) as looker:
        assert {entry.price for entry in looker.days() if entry.look != "closed"} == {written}
        assert number(looker.text("#chosen strong")) == Decimal(adult)
        assert looker.hands.run(
            "return [...document.querySelectorAll('.price')].every((it) => it.scrollWidth <= it.clientWidth)"
        )

        looker.add()
        assert shows_what_is_kept(looker)
