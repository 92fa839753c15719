"""The checks of the documentation detect errors: otherwise a passing page would prove little."""

from pathlib import Path

import pytest

from support.documentation.blocks import faults_of_blocks, faults_of_code_words
from support.documentation.links import faults_of_links
from support.documentation.pages import ROOT, Page

pytestmark = pytest.mark.slow

GUIDE = ROOT / "docs" / "guides" / "made_up.md"


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


def faults_of(folder: Path, *blocks: str) -> str:
    return "\n".join(faults_of_blocks(Page(GUIDE, "\n\n".join(blocks)), folder))


FALSE = {
    "other value": (fenced("python", ">>> 2 + 2", "5"), "made_up.md:1: "),
    "other output": (fenced("console", "$ echo right", "wrong"), "instead of:\nwrong"),
    "nothing is shown": (fenced("console", "$ echo right"), "prints:\nright"),
    "an option of curl": (fenced("console", "$ curl --retry 3 https://faregate.example", "..."), "--retry"),
    "other YAML": (fenced("yaml", "a: ["), "invalid yaml"),
    "no such target": (fenced("sh", "make tests"), "unknown make target tests"),
    "no such option later": (
        fenced("sh", "faregate check URL \\", "  --jason"),
        "check does not have --jason",
    ),
    "only indented": ("    puts 1\n", "a block without a language"),
}


@pytest.mark.parametrize(("block", "fault"), FALSE.values(), ids=FALSE)
def test_an_incorrect_page_is_reported_with_the_reason(
    block: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert fault in faults_of(tmp_path, block)


def test_an_invalid_inline_command_is_reported() -> None:
    page = Page(GUIDE, "Type `make tests`, `faregate serve --data x` or `make test`.")

    assert len(faults_of_code_words(page)) == 2


LINKS = [
    ("[a](../../tests/core)", True),
    ("# The `code` & more!\n\n[a](#the-code--more)", True),
    ("[a](absent.md)", False),
    ("| a |\n|---|\n| [a](absent.md) |", False),
]


@pytest.mark.parametrize(("text", "is_there"), LINKS)
def test_a_broken_link_is_reported(text: str, is_there: bool) -> None:
    assert (faults_of_links(Page(GUIDE, text)) == []) is is_there
