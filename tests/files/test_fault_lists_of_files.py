"""All faults of a file are reported in one list, and unreadable files are reported as such."""

from pathlib import Path

import pytest

from faregate.errors import InvalidCatalogue
from faregate.files import FileFormat, load_catalogue, parse_catalogue
from faregate.files.text.issues import MAX_ISSUES
from faregate.files.text.nodes import MAX_BYTES
from support.files.samples import CATALOGUE, catalogue_faults, spoilt


def test_issues_of_syntax_shape_and_value_are_reported_in_file_order() -> None:
    text = spoilt(CATALOGUE, "vouchers:", "promoCodes: []\nvouchers:")
    for piece, instead in [
        ("Europe/Zurich", "Europe/Zurch"),
        ("slug: day-ticket", "slug: Day"),
        ("79.50", "79.505"),
        ("type: WEB", "type: SHOP"),
        ("balance: 100", "balance: -1"),
    ]:
        text = spoilt(text, piece, instead)

    assert [fault.split(": ")[0] for fault in catalogue_faults(text)] == [
        *("c:3", "c:10", "c:23", "c:27", "c:37", "c:39"),
    ]


def test_message_quotes_a_long_or_odd_key_in_one_line() -> None:
    faults = catalogue_faults('{"currency": "CHF", "a\\nb": 1, "' + "k" * 500 + '": 2}', FileFormat.JSON)

    assert faults == (
        "c: 'a\\nb': unknown key",
        f"c: '{'k' * 30}' … of 500 characters: unknown key",
    )


def test_number_of_listed_issues_is_limited() -> None:
    faults = catalogue_faults(f"currency: CHF\nproducts: [{'1,' * 5000}]")

    assert len(faults) == MAX_ISSUES + 1
    assert faults[-1] == "c: and 4000 more"


@pytest.mark.parametrize("file_format", FileFormat)
@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (b"", "c: the file is empty"),
        (b"currency: CHF\nname: Z\xfcrich", "c:2: is not UTF-8: byte 0xfc"),
        (b" " * (MAX_BYTES + 1), f"c: the file is larger than {MAX_BYTES} bytes"),
        ("currency: \ud800", "c: the text cannot be encoded as UTF-8: surrogates not allowed"),
        ("[]", "c: expected a mapping, got a list"),
    ],
)
def test_unreadable_text_is_reported_as_such(
    source: str | bytes, fault: str, file_format: FileFormat
) -> None:
    faults = catalogue_faults(source, file_format)

    assert [text.replace("c:1: expected", "c: expected") for text in faults] == [fault]


def test_byte_order_mark_is_accepted() -> None:
    assert parse_catalogue(b"\xef\xbb\xbfcurrency: CHF\n").products == ()


def test_file_format_follows_from_the_file_extension(tmp_path: Path) -> None:
    for name in ("c.json", "c.JSON", "c.yaml", "c.yml", "c"):
        (tmp_path / name).write_text('{"currency": "CHF",}')

    outcomes = {}
    for path in tmp_path.iterdir():
        try:
            outcomes[path.name] = load_catalogue(path).products == ()
        except InvalidCatalogue as error:
            outcomes[path.name] = "1:" not in str(error)

    assert outcomes == {"c.json": False, "c.JSON": False, "c.yaml": True, "c.yml": True, "c": True}


def test_issues_of_a_file_begin_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "resort.yaml"
    path.write_text("currency: CHX\n")

    with pytest.raises(InvalidCatalogue) as refused:
        load_catalogue(str(path))

    assert refused.value.messages == (f"{path}:1: currency: unknown currency 'CHX'",)


@pytest.mark.parametrize("name", ["", "missing.yaml", "missing.json", "a\0b.yaml", "x" * 5000])
def test_unreadable_file_is_reported_as_such(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidCatalogue, match="cannot be read: "):
        load_catalogue(tmp_path / name)
