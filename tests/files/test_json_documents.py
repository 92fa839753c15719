from decimal import Decimal

import pytest

from faregate.files.text.documents import FileFormat, read_document
from faregate.files.text.issues import InvalidFile
from faregate.files.text.json_text import read_json
from faregate.files.text.nodes import MAX_LEVELS, MAX_VALUES


def refusal(text: str) -> list[str]:
    with pytest.raises(InvalidFile) as refused:
        read_json(text)
    return refused.value.texts("f")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8.1", Decimal("8.1")),
        ("1E+2", Decimal(100)),
        ("12", 12),
        ("1e99999999999999999999", Decimal("Infinity")),
        ("9" * 5000, Decimal("Infinity")),
        ("[1.5, {}]", [Decimal("1.5"), {}]),
    ],
)
def test_number_is_read_exactly(text: str, value: object) -> None:
    read, faults = read_json(text)

    assert (read, faults) == (value, [])
    assert type(read) is type(value)


def test_duplicate_keys_are_reported_with_locations_and_the_first_counts() -> None:
    data, faults = read_json('{"a": 1, "a": 2, "b": [{"c": {}, "c": 1}]}')

    assert data == {"a": 1, "b": [{"c": {}}]}
    assert [fault.text("f") for fault in faults] == [
        "f: a: duplicate key",
        "f: b[0].c: duplicate key",
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", "f:1:2: "),
        ('{"a": 1,\n "b": }', "f:2:7: "),
        ("[1 2]", "f:1:4: "),
        ('"a\nb"', "f:1:3: "),
        ("[1,]", "f:1:"),
    ],
)
def test_invalid_syntax_is_reported_with_line_and_column(text: str, where: str) -> None:
    assert [fault[: len(where)] for fault in refusal(text)] == [where]


@pytest.mark.parametrize("levels", [MAX_LEVELS + 1, 100_000])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a": ', "}")])
def test_deep_nesting_is_refused(start: str, end: str, levels: int) -> None:
    fault = f"nested deeper than {MAX_LEVELS} levels"
    assert refusal(start * levels + "1" + end * levels)[0].endswith(fault)


def test_nesting_up_to_the_limit_is_read() -> None:
    assert read_json("[" * MAX_LEVELS + "1" + "]" * MAX_LEVELS)[1] == []


def test_too_many_values_are_refused() -> None:
    assert refusal(f"[{'1,' * MAX_VALUES}1]") == [f"f: the file has more than {MAX_VALUES} values"]


def test_only_values_with_lines_are_kept_once_they_are_read() -> None:
    json, yaml = read_document('{"a": 1}', FileFormat.JSON), read_document("a: 1", FileFormat.YAML)

    assert json.for_lines().data is None
    assert yaml.for_lines() is yaml
