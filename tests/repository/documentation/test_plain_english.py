"""The lint for plain English finds what the style guide forbids, and passes what it allows."""

import runpy
from pathlib import Path

import pytest

LINT = runpy.run_path(str(Path(__file__).parents[3] / "tools/plain_english.py"))["main"]

UNDOCUMENTED = '''
class Gate:
    """A turnstile that asks for prices."""

    def open(self) -> None:
        self.seen = 1
        self.is_open = True
'''

PLANTED = {
    "an opening": ("module.py", '"""What a gate asks the price of."""'),
    "a filler": ("module.py", 'class GatePrice:\n    """The price of a gate."""'),
    "a message": ("module.py", 'raise ValueError(f"{3} is no date")'),
    "a page": ("page.md", "# Prices\n\nA code that is not taken any more costs nothing."),
    "a table": ("page.md", "| voucher | so much off |\n"),
    "a public method without a docstring": ("src/module.py", UNDOCUMENTED),
}

PLAIN = {
    "phrases that only look alike": "A price is no longer shown. It is no more than 3, one of which is free.",
    "code": "The code `what is no date` is code.",
    "a block": "```\nthere are none\n```",
}

ALLOWED = '''"""Prices of a gate."""


class Gate(Base):
    """A turnstile that asks for prices."""

    def open(self) -> None:
        first = 1
        self.opened = first

    @property
    def units(self) -> int:
        return 3
'''


def status(folder: Path, name: str, text: str) -> int:
    """Lint a file and return the status of the program."""
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    code: int = LINT([str(file)])
    return code


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_planted_sentence_is_reported_with_its_location(
    planted: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, text = planted

    assert status(tmp_path, name, text) == 1

    printed = capsys.readouterr()
    assert f"{name}:" in printed.out
    assert printed.err == "1 findings\n"


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_plain_page_passes(text: str, tmp_path: Path) -> None:
    assert status(tmp_path, "page.md", text) == 0


def test_overriding_methods_and_converters_need_no_docstring(tmp_path: Path) -> None:
    assert status(tmp_path, "src/module.py", ALLOWED) == 0


def test_missing_file_is_not_ignored(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LINT([str(tmp_path / "page.md")])
