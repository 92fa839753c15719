"""The documentation is true: blocks run as written, links have targets."""

from pathlib import Path

import pytest

from support.documentation.blocks import faults_of_blocks, faults_of_code_words
from support.documentation.links import faults_of_links
from support.documentation.pages import PAGES, ROOT, Page

# Their blocks take seconds: they start servers and programs, or load data frames and catalogues.
_SLOW = {
    ROOT / "docs" / f"{page}.md"
    for page in (
        *("tutorial", "pitfalls", "reference/catalogue_file", "guides/analysis", "guides/command_line"),
        *("guides/first_week", "guides/http", "guides/recipes", "guides/stored_counts"),
    )
}


def name_of(path: Path) -> str:
    """Return the path of a page from the root of the repository."""
    return str(path.relative_to(ROOT))


every_page = pytest.mark.parametrize("path", PAGES, ids=name_of)
every_page_with_blocks = pytest.mark.parametrize(
    "path",
    [pytest.param(page, marks=[pytest.mark.slow] if page in _SLOW else []) for page in PAGES],
    ids=name_of,
)


@every_page_with_blocks
def test_every_block_does_what_is_shown(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    faults = faults_of_blocks(Page(path), tmp_path)

    assert not faults, "\n\n".join(faults)


@every_page
def test_inline_commands_are_valid(path: Path) -> None:
    faults = faults_of_code_words(Page(path))

    assert not faults, "\n".join(faults)


@every_page
def test_links_have_targets(path: Path) -> None:
    faults = faults_of_links(Page(path))

    assert not faults, "\n".join(faults)
