"""The sandbox page in a real browser: by keyboard, on a phone, in dark mode, in four languages."""

import os
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from faregate_server.demo.sandbox.texts import TEXTS
from support.browser.browsing import Visitor

SCREENS = os.environ.get("FAREGATE_SCREENSHOTS")
"""Folder for screenshots; by default none are taken."""


def picture(visitor: Visitor, name: str) -> None:
    if SCREENS:
        visitor.browser.get_screenshot_as_file(str(Path(SCREENS, f"{name}.png")))


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


def test_clicking_a_label_selects_its_choice(visitor: Visitor) -> None:
    visitor.open("VIS", "TWI")

    visitor.browser.find_element(By.XPATH, "//label[contains(., 'TWINT')]").click()

    chosen = visitor.run("return [...document.querySelectorAll(':checked')].map(e => e.value)")
    assert chosen == ["TWI", "pays"]


def test_going_back_shows_the_result(visitor: Visitor) -> None:
    transaction = visitor.open()
    url = visitor.browser.current_url
    visitor.choose("succeed")

    visitor.browser.get(url)

    visitor.reads(TEXTS["en"].endings["ACTIVE"])
    assert visitor.browser.find_elements(By.TAG_NAME, "button") == []
    picture(visitor, "ended")
    visitor.browser.find_element(By.LINK_TEXT, TEXTS["en"].back).click()
    visitor.arrives(f"{visitor.shop.address}/success?order=7&transactionId={transaction}")


def test_a_double_click_registers_once(visitor: Visitor) -> None:
    transaction = visitor.open()
    button = visitor.browser.find_element(By.CSS_SELECTOR, "[value=succeed]")

    ActionChains(visitor.browser).double_click(button).perform()

    WebDriverWait(visitor.browser, 10).until(lambda _: visitor.detail(transaction)["status"] != "PENDING")
    detail = visitor.detail(transaction)
    assert (detail["status"], detail["code"]) == ("ACTIVE", "**** 0001")
    visitor.browser.get("about:blank")
    visitor.console()  # the second click gets a 409, which browsers log


@pytest.mark.parametrize("language", TEXTS)
def test_the_page_is_in_the_language_of_the_registration(visitor: Visitor, language: str) -> None:
    visitor.open("VIS", "TWI", "PFC", language=language)

    texts = TEXTS[language]
    assert visitor.browser.title == texts.title
    assert visitor.run("return document.documentElement.lang") == language
    labels = [label.text for label in visitor.browser.find_elements(By.TAG_NAME, "label")]
    assert labels == ["Visa", "TWINT", "PostFinance Card", *texts.instruments.values()]
    buttons = [button.text for button in visitor.browser.find_elements(By.TAG_NAME, "button")]
    assert buttons == [texts.succeed, texts.decline, texts.cancel]
    picture(visitor, f"form-{language}")


def test_another_language_can_be_selected_and_is_kept(visitor: Visitor) -> None:
    transaction = visitor.open()

    visitor.browser.find_element(By.LINK_TEXT, "Italiano").click()
    visitor.reads(TEXTS["it"].title)
    visitor.choose("cancel")
    visitor.browser.back()
    visitor.browser.refresh()

    visitor.reads(TEXTS["it"].endings["CANCELLED"])
    assert visitor.detail(transaction)["status"] == "DECLINED"


CONTRASTS = """
const parse = c => c.match(/[\\d.]+/g).map(Number);
const light = c => {
  const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const [r, g, b] = parse(c).slice(0, 3).map(v => linear(v / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = e => {
  for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor, parts = parse(c);
    if (parts.length < 4 || parts[3] > 0) return c;
  }
  return 'rgb(255, 255, 255)';
};
const ends = [...document.querySelectorAll('h1, p, dt, dd, legend, label, button, a, strong')];
return ends.map(e => {
  const pair = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a);
  return [e.tagName + ' ' + e.textContent.slice(0, 20), (pair[0] + 0.05) / (pair[1] + 0.05)];
});
"""


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

    ratios = visitor.run(CONTRASTS)

    assert len(ratios) >= 5
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []
    picture(visitor, f"{'dark' if is_dark else 'light'}-{'ended' if is_over else 'form'}")


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
    picture(visitor, f"phone-{language}-{'ended' if is_over else 'form'}")


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


def test_the_page_loads_nothing_but_itself(visitor: Visitor) -> None:
    visitor.open()

    assert visitor.run("return performance.getEntriesByType('resource').map(e => e.name)") == []
    assert visitor.run("return document.scripts.length") == 0


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


def test_another_page_cannot_submit_its_form(visitor: Visitor) -> None:
    registered = visitor.register()
    visitor.browser.get(f"{visitor.shop.address}/success")

    visitor.run(
        "const f = document.createElement('form'); f.method = 'post';"
        f"f.action = '{registered['redirectUrl']}';"
        "f.innerHTML = '<input name=action value=cancel><input name=token value=guessed>';"
        "document.body.append(f); f.submit()"
    )

    visitor.reads(TEXTS["en"].faulty)
    assert visitor.detail(registered["transactionId"])["status"] == "PENDING"
    visitor.browser.get("about:blank")
    visitor.console()  # the refusal is a 403, which browsers log


def test_the_shop_does_not_learn_the_address_of_the_page(visitor: Visitor) -> None:
    visitor.open()

    visitor.choose("succeed")

    assert visitor.browser.title == "Shop"
    assert visitor.run("return document.referrer") == ""
