"""The shop page of the running service in a real browser: it shows the service's responses to everyone."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from faregate.files import load_catalogue
from faregate_server.app import create_app
from faregate_server.demo.showcase.sold import shown_channel, shown_products
from support.browser.browsing import wait_until_ready
from support.browser.looking import Looker, number
from support.payment.registering import settings_of
from support.service.service import Clock
from support.specification.openapi_conformity import DOCUMENT

VILLAGE = Path(__file__).parents[2] / "support" / "catalogues" / "village.yaml"
SAVER, ADULT = 15, 151
LANGUAGES = ["en", "de", "fr", "it"]

Serve = Callable[..., AbstractContextManager[str]]


# The saver ticket can be booked from 2 December.
WINDOW = {"productVariantId": ADULT, "duration": "P1D", "dateFrom": "2026-12-02", "dateTo": "2027-12-02"}


def test_the_calendar_shows_price_and_places_of_every_day(page: Looker) -> None:
    path = f"/api/booking/products/{SAVER}/journey/validities"
    found = page.ask(path, **WINDOW, limit=366)["data"]["options"]

    shown = page.days()
    assert [entry.day for entry in shown] == [option["value"]["from"][:10] for option in found]
    for entry, option in zip(shown, found, strict=True):
        assert Decimal(entry.price) == option["price"]["minPrice"]
        assert (entry.look == "closed") != option["isAvailable"]
        places = f"{option['availableCapacity']['max']:,} places left".replace(",", "'")
        label = entry.label.replace("’", "'")
        assert label.endswith(places if option["isAvailable"] else "not available")


def test_dearer_days_are_darker(page: Looker) -> None:
    shades: dict[str, set[Decimal]] = {}
    for entry in page.days():
        if entry.look != "closed":
            shades.setdefault(entry.look, set()).add(Decimal(entry.price))

    ordered = [shades[shade] for shade in sorted(shades)]
    assert len(ordered) >= 3
    assert all(max(low) < min(high) for low, high in pairwise(ordered))


def test_times_of_a_day_can_be_selected(page: Looker) -> None:
    page.choose("product", "half-day-ticket")
    page.wait(lambda: page.one("#times").is_displayed())

    times = [option.text for option in page.all("#time option")]
    assert len(times) > 1
    assert times == sorted(times)
    page.add()
    assert "Four-hour ticket" in page.text("#items ol")


def test_a_product_without_dates_has_a_price_and_can_be_added(page: Looker) -> None:
    page.choose("product", "lunch")

    texts = page.texts()["en"]
    assert texts["noDates"] in page.text("#chosen")
    assert texts["noInsight"] in page.text("#gauge")
    assert page.all("#months button") == []
    page.add()


def judges(page: Looker, price: Decimal) -> bool:
    return number(page.text("#gauge .level")) == price


def test_the_gauge_agrees_with_the_api(page: Looker) -> None:
    for day in ("2026-12-10", "2026-12-25"):
        page.pick(day)
        price = number(page.text("#chosen strong"))
        page.wait(partial(judges, page, price))
        insight = page.ask(
            "/api/pricing/insights/distribution",
            **{"productId": SAVER, **WINDOW, "price": price},
        )["data"]

        typical, observed, rank = [place.text for place in page.all("#gauge dd")]
        assert [number(text) for text in typical.split("–")] == [
            insight["thresholds"][side]["price"] for side in ("lower", "upper")
        ]
        assert abs(number(rank) - insight["benchmark"]["percentile"]) <= Decimal("0.05")
        assert int(observed) == len(page.all("#months button:enabled"))
    assert "high" in page.text("#gauge .level")


def test_every_amount_in_the_basket_equals_that_of_the_checkout(page: Looker) -> None:
    page.fill()

    checkout = page.ask(page.checkout())["data"]
    shown = {
        str(button.get_attribute("data-figure")): number(button.find_element(By.TAG_NAME, "b").text)
        for button in page.all("button.figure")
    }
    expected = {f"item-{item['id']}": item["totalGross"] for item in checkout["items"]}
    figures = ("listPriceGross", "totalDiscountGross", "totalGross", "totalNet")
    assert shown == {**expected, **{name: checkout[name] for name in figures}}


def test_each_cent_is_explained_when_an_amount_is_clicked(page: Looker) -> None:
    page.fill()
    page.open_all()

    ledgers = page.all("button.figure + div:not([hidden])")
    buttons = page.all("button.figure")
    assert len(ledgers) == len(buttons) == 7
    for button, ledger in zip(buttons, ledgers, strict=True):
        running, sums = Decimal(0), []
        for row in ledger.find_elements(By.CSS_SELECTOR, "tr"):
            amount = number(row.find_element(By.TAG_NAME, "td").text)
            if row.get_attribute("class") == "sum":
                assert amount == running
                sums.append(amount)
            else:
                running += amount
        assert sums[0] == number(button.find_element(By.TAG_NAME, "b").text)
    page.picture("explained")


def test_a_ledger_opens_and_closes(page: Looker) -> None:
    page.add()
    button = page.one("button.figure")
    for expanded in ("true", "false", "true"):
        page.press("button.figure")
        assert button.get_attribute("aria-expanded") == expanded
        place = page.one(f"#{button.get_attribute('aria-controls')}")
        assert place.is_displayed() == (expanded == "true")


def test_items_and_codes_can_be_removed_and_the_focus_stays_in_the_basket(page: Looker) -> None:
    page.fill()

    page.press(".codes .remove")
    page.wait(lambda: not page.all(".codes li"))
    page.press("#items ol .remove")
    page.wait(lambda: len(page.all("#items ol > li")) == 2)

    page.wait(lambda: page.hands.run("return document.activeElement.id") == "basket-title")
    checkout = page.ask(page.checkout())["data"]
    assert (len(checkout["items"]), checkout["promoCodes"]) == (2, [])


def test_the_basket_survives_a_reload_and_can_be_abandoned(page: Looker) -> None:
    page.add()
    page.visit()
    page.wait(lambda: page.all("#items ol > li"))

    page.press(".held button")

    texts = page.texts()["en"]
    assert page.text("#items") == texts["empty"]
    assert page.hands.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0


def test_a_voucher_reduces_the_amount_due(page: Looker) -> None:
    page.add()
    page.enter("GIFT-100")

    due = page.one("[data-figure=amountDue] b").text
    assert number(due) == 0


def test_refusals_are_shown_with_the_message_of_the_api(page: Looker) -> None:
    page.add()
    page.one("#code").send_keys("NOBODY")
    page.press("#codes button")

    said = page.wait(lambda: page.text("#problem"))
    assert "code" in said.lower()
    assert page.one("#problem > div").get_attribute("lang") == "en"
    assert [entry["level"] for entry in page.hands.console()] == ["SEVERE"]  # browsers log every 422
    page.enter("WINTER10")
    assert page.text("#problem") == ""


def keys(texts: Any) -> Any:
    return {name: keys(part) for name, part in texts.items()} if isinstance(texts, dict) else None


def test_every_text_exists_in_every_language(page: Looker) -> None:
    texts = page.texts()

    assert list(texts) == LANGUAGES
    assert all(keys(texts[language]) == keys(texts["en"]) for language in LANGUAGES)
    named = {str(place.get_attribute("data-text")) for place in page.all("[data-text]")}
    assert named <= texts["en"].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_four_languages(page: Looker, language: str) -> None:
    page.fill()
    page.open_all()
    texts = page.texts()[language]
    page.browser.find_element(By.XPATH, f"//nav//button[@lang='{language}']").click()
    page.wait(lambda: page.text("h1") == texts["title"])
    page.wait(lambda: texts["figures"]["totalNet"] in page.text("#items"))
    page.wait(lambda: page.text("#gauge dt") == texts["typical"])

    assert page.hands.run("return document.documentElement.lang") == language
    assert page.browser.title == f"faregate: {texts['title']}"
    assert page.browser.current_url.endswith(f"?language={language}")
    for place in page.all("[data-text]"):
        assert place.get_attribute("textContent") == texts[str(place.get_attribute("data-text"))]
    month = {"en": "December", "de": "Dezember", "fr": "décembre", "it": "dicembre"}[language]
    assert month in page.text("#months caption")
    assert "undefined" not in page.text("body")
    page.picture(language)


def test_only_the_documented_api_of_this_service_is_called(page: Looker) -> None:
    page.hands.requested()
    page.visit()
    page.fill()

    asked = [*map(urlsplit, page.hands.requested())]
    documented = [re.compile(re.sub(r"{\w+}", "[^/]+", path)) for path in DOCUMENT["paths"]]
    assert {url.netloc for url in asked} == {urlsplit(page.address).netloc}
    others = {url.path for url in asked if not any(path.fullmatch(url.path) for path in documented)}
    assert all(path == "/" or path.startswith("/showcase/") for path in others)


def test_another_catalogue_is_shown_too(browser: Chrome, serve: Serve, tmp_path: Path) -> None:
    catalogue = load_catalogue(VILLAGE)
    channel = shown_channel(catalogue)
    settings = settings_of(tmp_path, showcase=True, catalogue=VILLAGE)

    with serve(create_app(settings, clock=Clock())) as address:
        wait_until_ready(address)
        looker = Looker(browser, address, channel.uuid)
        looker.open("de")
        looker.add()

        offered = [option.get_attribute("value") for option in looker.all("#product option")]
        checkout = looker.ask(looker.checkout())["data"]
        browser.get("about:blank")

    assert set(offered) == {product.slug for product in shown_products(catalogue, channel)}
    assert len(checkout["items"]) == 1
    assert looker.hands.console() == []
