"""The reference of the files describes every key, and its examples are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import file_reference
import pytest
from file_reference import FILES, TEXTS, VALUES, file_keys, file_values, keys_of, paths

from faregate import price_checkout
from faregate.files import FileFormat, demo_catalogue, parse_basket, parse_catalogue, parse_rules
from faregate.files.entries import Entry
from faregate.files.fields.currencies import Currencies
from faregate.files.fields.forms import Form
from faregate.files.text.documents import read_document
from faregate.money.currency import currency
from support.documentation.links import faults_of_links
from support.documentation.pages import ROOT, Page

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = ROOT / "docs" / "reference" / "catalogue_file.md"
PARSERS: dict[str, Callable[[str], object]] = {
    "catalogue": parse_catalogue,
    "basket": lambda text: parse_basket(text, demo_catalogue(), file_format=FileFormat.YAML),
    "rules": parse_rules,
}
ENTRIES = {entry.kind.__name__: entry for file in FILES.values() for entry in paths(file)}
MODELS = ENTRIES | {file.kind.__name__: file for file in FILES.values()}
UNITS = Currencies(currency("CHF"))


def read(text: str) -> Any:
    document = read_document(text, FileFormat.YAML)
    assert not document.issues
    return document.data


def form_of(entry: Entry, key: str) -> Form:
    """Return the form of a key that holds *entry*."""
    fields = (keys_of(outer)[key] for outer in MODELS.values() if key in keys_of(outer))
    return next(field.form for field in fields if entry in entries_of(field.form))


def entries_of(form: Form) -> list[Entry]:
    return [entry for entry, _ in file_reference._entries_in(form, "")]


def listed(value: Any) -> list[Any]:
    return [*value] if isinstance(value, list | tuple | frozenset) else [value]


def test_exactly_the_keys_of_every_entry_have_a_meaning() -> None:
    described = {name: list(entry["keys"]) for name, entry in TEXTS["entries"].items()}

    assert {name: set(keys) for name, keys in described.items()} == {
        name: set(keys_of(model)) for name, model in MODELS.items()
    }
    assert all(meaning.strip() for entry in TEXTS["entries"].values() for meaning in entry["keys"].values())


@pytest.mark.parametrize("name", ENTRIES)
def test_the_examples_of_an_entry_are_valid_and_show_every_key(name: str) -> None:
    model, shown, is_short = ENTRIES[name], set(), False
    for example in TEXTS["entries"][name]["example"].split("# or\n"):
        for key, value in read(example).items():
            form_of(model, key).read(value, UNITS)
            shown |= {each for entry in listed(value) if isinstance(entry, dict) for each in entry}
            is_short |= any(not isinstance(entry, dict) for entry in listed(value))

    assert shown == set(keys_of(model))
    assert is_short is ("short" in TEXTS["entries"][name])


@pytest.mark.parametrize("kind", FILES)
def test_the_example_of_a_file_is_valid_and_shows_every_key(kind: str) -> None:
    example = TEXTS["entries"][FILES[kind].kind.__name__]["example"]

    PARSERS[kind](example)

    assert set(read(example)) == set(keys_of(FILES[kind]))


@pytest.mark.parametrize("name", VALUES)
def test_the_examples_of_a_value_are_valid(name: str) -> None:
    for example in TEXTS["values"][name]["examples"]:
        VALUES[name].read(read(f"value: {example}")["value"], UNITS)


ROWS = [
    "| **`currency`** | currency code | Currency of discounts",
    "| `weekdays` | list of weekdays | The validity begins",
    "| `priceModel` | `STATIC`, `CALENDAR`, `STEPPED` | `STATIC` |",
    "| `standalone` | `true`, `false` | `true` |",
    "| `maxUnits` | whole number, 1 to 500 | `60` |",
    "| `expiresAfter` | time span | `PT30M` |",
    "| `sortOrder` | whole number | `0` |",
    "| `minSold` | whole number, 0 or more | `0` |",
    "| `percent` | percentage above 0 | `100` |",
    "| `increment` | amount above 0 | The price is rounded",
    "| `uses` | mapping of short text to whole number, 0 or more |  |",
    "| **`discountType`** | `PER_UNIT` | Kind",
    "| **`discount`** | [Amount off](#amount-off) or [Percent off](#percent-off) or",
    "| **`spans`** | list of day or [Span of days](#span-of-days) |",
    "| **`sha256`** | text | SHA-256",
]


def test_a_key_is_shown_with_its_values_and_its_default() -> None:
    shown = file_keys(FILES["catalogue"])

    assert [row for row in ROWS if f"\n{row}" not in shown] == []


def test_the_page_has_a_row_for_each_key_and_valid_links() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for kind, file in FILES.items():
        text = text.replace(f"<!-- here: every key of a {kind} file -->", file_keys(file))
    page = Page(PAGE, text.replace("<!-- here: every value of a file -->", file_values()))

    assert "<!-- here" not in page.text
    assert faults_of_links(page) == []
    assert page.text.count("\n| `") + page.text.count("\n| **`") == sum(
        len(keys_of(model)) for model in MODELS.values()
    )


def test_the_minimal_catalogue_prices_a_basket() -> None:
    files = {block.name: block.text for block in Page(PAGE).blocks if block.name}
    catalogue = parse_catalogue(files["museum.yaml"])
    basket = parse_basket(files["basket.yaml"], catalogue, file_format=FileFormat.YAML)

    priced = price_checkout(basket.checkout, catalogue=catalogue, at=basket.ordered_at)

    assert priced.totals.total_gross == 1750
    assert len(files["museum.yaml"].splitlines()) <= 30
