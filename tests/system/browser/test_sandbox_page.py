"""The sandbox page in a real browser: by keyboard, on a phone, in dark mode, in four languages."""

from typing import Any

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from faregate_server.demo.sandbox.texts import TEXTS
from support.browser.browsing import Visitor

ENDINGS = [
    ("succeed", "success", "ACTIVE"),
    ("decline", "error", "DECLINED"),
    ("cancel", "cancel", "DECLINED"),
]


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE], ids=["enter", "space"])
@pytest.mark.parametrize(("action", "page", "status"), ENDINGS)
def test_the_page_can_be_used_with_the_keyboard_alone(
    visitor: Visitor, action: str, page: str, status: str, key: str
) -> None:
    transaction = visitor.open("VIS", "TWI", "PFC")

    visitor.tab_to("method")
    visitor.press(Keys.ARROW_DOWN)
    visitor.tab_to("instrument")
    visitor.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    visitor.tab_to("action", action)
    visitor.press(key)

    visitor.arrives(f"{visitor.shop.address}/{page}?order=7&transactionId={transaction}")
    detail = visitor.detail(transaction)
    assert detail["status"] == status
    if status == "ACTIVE":
        assert (detail["type"], detail["code"], detail["isDefault"]) == ("TWI", "**** 0002", True)


def test_the_focus_moves_through_the_page_from_top_to_bottom(visitor: Visitor) -> None:
    visitor.open("VIS", "TWI")

    visited = []
    for _ in range(8):
        visitor.press(Keys.TAB)
        focused = visitor.browser.switch_to.active_element
        visited.append((focused.tag_name, focused.get_attribute("name"), focused.get_attribute("value")))

    assert [tag for tag, _, _ in visited[:3]] == ["a", "a", "a"]
    assert visited[3:] == [
        ("input", "method", "VIS"),
        ("input", "instrument", "pays"),
        ("button", "action", "succeed"),
        ("button", "action", "decline"),
        ("button", "action", "cancel"),
    ]


def test_the_focus_is_visible(visitor: Visitor) -> None:
    visitor.open()

    visitor.tab_to("action", "succeed")

    outline = visitor.run(
        "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]"
    )
    assert outline == ["solid", "3px"]


def test_going_back_shows_the_result(visitor: Visitor) -> None:
    transaction = visitor.open()
    url = visitor.browser.current_url
    visitor.choose("succeed")

    visitor.browser.get(url)

    visitor.reads(TEXTS["en"].endings["ACTIVE"])
    assert visitor.browser.find_elements(By.TAG_NAME, "button") == []
    visitor.picture("ended")
    visitor.browser.find_element(By.LINK_TEXT, TEXTS["en"].back).click()
    visitor.arrives(f"{visitor.shop.address}/success?order=7&transactionId={transaction}")


def test_another_language_can_be_selected_and_is_kept(visitor: Visitor) -> None:
    transaction = visitor.open()

    visitor.browser.find_element(By.LINK_TEXT, "Italiano").click()
    visitor.reads(TEXTS["it"].title)
    visitor.choose("cancel")
    visitor.browser.back()
    visitor.browser.refresh()

    visitor.reads(TEXTS["it"].endings["CANCELLED"])
    assert visitor.detail(transaction)["status"] == "DECLINED"


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("is_over", [False, True], ids=["form", "ending"])
def test_every_text_contrasts_with_its_background(visitor: Visitor, is_dark: bool, is_over: bool) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    visitor.open()
    visitor.look(1024, 768, is_dark=is_dark)
    if is_over:
        url = visitor.browser.current_url
        visitor.choose("decline")
        visitor.browser.get(url)

    ratios = visitor.contrasts()

    assert len(ratios) >= 5
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []
    visitor.picture(f"{'dark' if is_dark else 'light'}-{'ended' if is_over else 'form'}")


HEIGHTS_OF_FACTS = "return [...document.querySelectorAll('dd')].map(e => e.getBoundingClientRect().height)"


def overflow(visitor: Visitor) -> Any:
    return visitor.run("const d = document.documentElement; return d.scrollWidth - d.clientWidth")


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("is_over", [False, True], ids=["form", "ending"])
def test_a_phone_needs_no_horizontal_scrolling(visitor: Visitor, language: str, is_over: bool) -> None:
    """WCAG 2.2, 1.4.10: a width of 320 pixels."""
    visitor.open("VIS", "ECA", "TWI", "PFC", language=language)
    visitor.look(320, 640)
    if is_over:
        url = visitor.browser.current_url
        visitor.choose("cancel")
        visitor.browser.get(url)

    assert visitor.run("return window.innerWidth") == 320
    assert overflow(visitor) == 0
    assert max(visitor.run(HEIGHTS_OF_FACTS)) < 60  # two lines at most
    visitor.picture(f"phone-{language}-{'ended' if is_over else 'form'}")


def test_on_a_phone_everything_is_large_enough_for_a_finger(visitor: Visitor) -> None:
    visitor.open("VIS", "ECA", "TWI", "PFC")
    visitor.look(320, 640)

    heights = visitor.run(
        "return [...document.querySelectorAll('label, button')].map(e => e.getBoundingClientRect().height)"
    )
    links = visitor.run(
        "return [...document.querySelectorAll('a')].map(e => e.getBoundingClientRect().height)"
    )

    assert min(heights) >= 44
    assert min(links) >= 24


def test_text_of_double_size_needs_no_horizontal_scrolling(visitor: Visitor) -> None:
    """WCAG 2.2, 1.4.4."""
    visitor.open("VIS", "TWI", language="de")
    visitor.look(640, 800)

    visitor.browser.execute_cdp_cmd("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
    visitor.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 320, "height": 400, "deviceScaleFactor": 2, "mobile": False},
    )

    assert overflow(visitor) == 0


def test_another_page_cannot_frame_it(visitor: Visitor) -> None:
    registered = visitor.register()
    visitor.browser.get(f"{visitor.shop.address}/success")

    visitor.run(
        "const f = document.createElement('iframe');"
        f"f.src = '{registered['redirectUrl']}'; document.body.append(f)"
    )
    visitor.browser.switch_to.frame(0)
    framed = visitor.browser.page_source
    visitor.browser.switch_to.default_content()

    assert TEXTS["en"].title not in framed
    assert any("frame-ancestors" in entry["message"] for entry in visitor.console())


def test_the_shop_does_not_learn_the_address_of_the_page(visitor: Visitor) -> None:
    visitor.open()

    visitor.choose("succeed")

    assert visitor.browser.title == "Shop"
    assert visitor.run("return document.referrer") == ""
