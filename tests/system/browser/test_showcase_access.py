"""Accessibility of the shop page: keyboard, screen sizes, dark mode, screen readers."""

import pytest
from selenium.webdriver import Keys

from support.browser.browsing import SCREENS
from support.browser.looking import Looker


def test_the_page_can_be_used_with_the_keyboard_alone(page: Looker) -> None:
    hands = page.hands
    page.browser.execute_script("document.getElementById('later').focus()")

    hands.press(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda: page.one("[data-day='2026-12-10']").get_attribute("aria-pressed") == "true")
    hands.press(Keys.TAB, Keys.SPACE)
    page.wait(lambda: page.all("#items ol > li"))
    page.wait(lambda: page.one("#add").is_enabled())
    page.browser.execute_script("document.getElementById('add').focus()")
    hands.press(Keys.TAB, Keys.ENTER)

    focused = page.browser.switch_to.active_element
    assert focused.get_attribute("aria-expanded") == "true"
    assert "10 Dec 2026" in focused.text
    outline = hands.run(
        "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]"
    )
    assert outline == ["solid", "3px"]


def test_arrow_keys_reach_every_month_and_stop_at_the_ends(page: Looker) -> None:
    hands = page.hands
    page.browser.execute_script("document.querySelector('#months button:enabled').focus()")
    reached = []
    for key in (Keys.ARROW_LEFT, Keys.PAGE_DOWN, Keys.PAGE_UP, Keys.HOME, Keys.END, Keys.ARROW_DOWN):
        hands.press(key)
        reached.append(page.browser.switch_to.active_element.get_attribute("data-day"))

    last = page.all("#months button:enabled")[-1].get_attribute("data-day")
    # The lifts are closed from the end of December: 1 January comes after four weeks.
    assert reached == ["2026-12-02", "2027-01-03", "2026-12-06", "2026-12-02", last, last]


@pytest.mark.parametrize("width", [320, 360, 768, 1440, 1920])
def test_the_page_is_no_wider_than_the_screen(page: Looker, width: int) -> None:
    page.hands.look(width, 800)
    page.fill()
    page.open_all()

    assert page.hands.run("return document.documentElement.scrollWidth") <= width
    if SCREENS:
        height = page.hands.run("return document.documentElement.scrollHeight")
        for is_dark in (False, True):
            page.hands.look(width, height, is_dark=is_dark)
            page.picture(f"{width}-{'dark' if is_dark else 'light'}")


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_every_text_contrasts_with_its_background(page: Looker, is_dark: bool) -> None:
    page.hands.look(1200, 800, is_dark=is_dark)
    page.fill()
    page.open_all()

    found = page.hands.contrasts()

    assert len(found) > 300
    assert [(text, ratio) for text, ratio in found if ratio < 4.5] == []


# Each control and its smaller dimension.
SIZES = """
const seen = [...document.querySelectorAll("button, select, input")].filter((one) => one.checkVisibility());
return seen.map((one) => [one.outerHTML, Math.min(one.offsetWidth, one.offsetHeight)]);
"""


def test_controls_have_names_and_are_large_enough(page: Looker) -> None:
    page.fill()
    page.open_all()

    sizes = page.hands.run(SIZES)
    assert len(sizes) > 100
    assert [name for name, size in sizes if size < 24] == []
    others = [
        control
        for control in page.all(":is(button, select, input):not([data-day])")
        if control.is_displayed()
    ]
    for control in (*others, *page.all("#months button")[:3]):
        assert control.accessible_name, control.get_attribute("outerHTML")


def test_the_page_has_a_semantic_structure(page: Looker) -> None:
    page.fill()

    headings = [heading.tag_name for heading in page.all("h1, h2, h3, h4")]
    assert headings == ["h1", "h2", "h2", "h2"]
    assert [part.aria_role for part in page.all("header, nav, main")] == ["banner", "navigation", "main"]
    assert all(section.accessible_name for section in page.all("section"))
    assert {table.aria_role for table in page.all("#months table")} == {"grid"}
    assert all(table.accessible_name for table in page.all("#months table"))
    ids = page.hands.run("return [...document.querySelectorAll('[id]')].map((place) => place.id)")
    assert len(ids) == len(set(ids))


def test_the_days_are_aligned_with_the_heading(page: Looker) -> None:
    lefts = page.hands.run(
        "return ['#season h2', '#months td', '#months caption'].map((one) => {"
        "const place = document.querySelector(one);"
        "return place.getBoundingClientRect().left + parseFloat(getComputedStyle(place).paddingLeft);})"
    )

    assert len(set(lefts)) == 1, lefts
