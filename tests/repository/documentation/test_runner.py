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
    "script that fails": (fenced("python", "x = 1", "assert x == 2"), 'File "made_up.md", line 3'),
    "name that is not there": (fenced("python", ">>> absent"), "NameError"),
    "other output": (fenced("console", "$ echo right", "wrong"), "instead of:\nwrong"),
    "less than is printed": (fenced("console", "$ echo right and more", "right"), "instead of:\nright"),
    "nothing is shown": (fenced("console", "$ echo right"), "prints:\nright"),
    "nothing is printed": (fenced("console", "$ true", "right"), "instead of:\nright"),
    "a status": (fenced("console", "$ (exit 3)", "$ echo something else", "something else"), "ended with 3"),
    "a complaint": (fenced("console", "$ echo careful >&2", "..."), "on standard error: careful"),
    "no such program": (fenced("console", "$ faregated", "..."), "ended with 127"),
    "bash cannot read it": (fenced("console", "$ echo 'a", "..."), "ended with"),
    "an option of curl": (fenced("console", "$ curl --retry 3 https://faregate.example", "..."), "--retry"),
    "no prompt": (fenced("console", "echo a", "a"), "no command: begin"),
    "other YAML": (fenced("yaml", "a: ["), "invalid yaml"),
    "other JSON": (fenced("json", "{'a': 1}"), "invalid json"),
    "ragged rows": (fenced("csv", "a,b", "1"), "rows of [1, 2] fields"),
    "other ini": (fenced("ini", "a=b"), "invalid ini"),
    "no such target": (fenced("sh", "make tests"), "unknown make target tests"),
    "no such target among others": (
        fenced("sh", "cd x && PYTHON=y make test tests"),
        "unknown make target tests",
    ),
    "no such command": (fenced("sh", "faregate prise x"), "faregate does not have the command prise"),
    "no such inner command": (fenced("sh", "X=$(faregate catalogue cheque x)"), "cheque"),
    "no such option": (fenced("sh", "faregate serve --data x"), "faregate serve does not have --data"),
    "no such option later": (
        fenced("sh", "faregate check URL \\", "  --jason"),
        "check does not have --jason",
    ),
    "no such module": (fenced("sh", "python -m benchmarks.absent"), "unknown module benchmarks.absent"),
    "no such file": (fenced("sh", ".venv/bin/python tools/absent.py"), "missing file tools/absent.py"),
    "no shell": (fenced("sh", "if true; then"), "syntax error"),
    "unknown language": (fenced("ruby", "puts 1"), "unsupported language 'ruby'"),
    "no language": (fenced("", "puts 1"), "a block without a language"),
    "only indented": ("    puts 1\n", "a block without a language"),
}


@pytest.mark.parametrize(("block", "fault"), FALSE.values(), ids=FALSE)
def test_an_incorrect_page_is_reported_with_the_reason(
    block: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert fault in faults_of(tmp_path, block)


def test_a_call_goes_to_the_service_of_the_page(tmp_path: Path) -> None:
    asked = "$ curl -s http://127.0.0.1:8000/health/live -H 'accept: application/json'"
    page = Page(GUIDE, fenced("console", asked, "...", asked, "it is ill"))

    (fault,) = faults_of_blocks(page, tmp_path)

    assert "127.0.0.1:8000" not in fault.partition("prints:")[2]
    assert fault.endswith("instead of:\nit is ill\n")


@pytest.mark.parametrize("words", ["make tests", "faregate serve --data x", "python -m benchmarks.absent"])
def test_an_invalid_inline_command_is_reported(words: str) -> None:
    assert len(faults_of_code_words(Page(GUIDE, f"Type `{words}`, not `make test`."))) == 1


LINKS = [
    ("[a](operation.md)", True),
    ("[a](operation.md#backup)", True),
    ("[a](../decisions.md#2-allocation-sharing-an-amount-over-lines)", True),
    ("[a](../../src/faregate/tax/rates.py)", True),
    ("[a](../../tests/core)", True),
    ("[a](https://faregate.example/absent)", True),
    ("# The `code` & more!\n\n[a](#the-code--more)", True),
    ("# Twice\n\n# Twice\n\n[a](#twice-1)", True),
    ("[a](absent.md)", False),
    ("[a](operation.md#absent)", False),
    ("[a](Operation.md)", False),
    ("[a](#absent)", False),
    ("[a]: absent.md\n\n[a]", False),
    ("![a](absent.svg)", False),
    ('<img alt="a" src="absent.svg">', False),
    ("[a](../../../beside)", False),
    ("| a |\n|---|\n| [a](absent.md) |", False),
]


@pytest.mark.parametrize(("text", "is_there"), LINKS)
def test_a_broken_link_is_reported(text: str, is_there: bool) -> None:
    assert (faults_of_links(Page(GUIDE, text)) == []) is is_there
