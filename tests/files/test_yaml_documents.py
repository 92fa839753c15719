from decimal import Decimal

import pytest
import yaml

from faregate.files.text import yaml_text as yaml_documents
from faregate.files.text.issues import InvalidFile
from faregate.files.text.nodes import MAX_LEVELS, MAX_VALUES, line_at
from faregate.files.text.yaml_text import read_yaml

LOADERS = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]


@pytest.fixture(autouse=True, params=LOADERS, ids=["pure", "libyaml"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_documents, "_LOADER", request.param)


def values(text: str) -> object:
    data, issues = read_yaml(text)
    assert issues == []
    return data


def faults_of(text: str) -> list[str]:
    return [issue.text("f") for issue in read_yaml(text)[1]]


def refusal(text: str) -> list[str]:
    with pytest.raises(InvalidFile) as refused:
        read_yaml(text)
    return refused.value.texts("f")


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("8.1", Decimal("8.1")),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ("1e3", Decimal(1000)),
        ("-.5", Decimal("-0.5")),
        ("0x1F", 31),
        ("0o17", 15),
        ("true", True),
        ("null", None),
        ("", None),
        (".inf", Decimal("Infinity")),
        ("'8.1'", "8.1"),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("Zürich", "Zürich"),
    ],
)
def test_scalars_follow_the_core_schema_of_yaml_1_2(scalar: str, value: object) -> None:
    read = values(f"key: {scalar}")

    assert read == {"key": value}
    assert isinstance(read, dict)
    assert type(read["key"]) is type(value)


@pytest.mark.parametrize(
    "scalar",
    [
        *("no", "No", "on", "off", "yes", "y", "n", "12:30", "1:30:00", "2026-12-27"),
        *("2026-12-27T08:00:00+01:00", "1_000", "0b11", "08:00", "1,5", "0x", "=", "<<"),
    ],
)
def test_special_values_of_yaml_1_1_stay_text(scalar: str) -> None:
    assert values(f"key: {scalar}") == {"key": scalar}


def test_number_with_a_leading_zero_is_decimal() -> None:
    assert values("key: 010") == {"key": 10}


def test_nan_is_read_as_nan() -> None:
    read = values("key: .nan")

    assert isinstance(read, dict)
    assert read["key"].is_nan()


@pytest.mark.parametrize("key", ["no", "on", "1", "1.50", "null", "~", "2026-12-27", "<<"])
def test_key_is_always_text(key: str) -> None:
    assert values(f"{key}: x") == {key: "x"}


@pytest.mark.parametrize("digits", ["9" * 200, "9" * 5000, "9." + "9" * 5000, "1e" + "9" * 30])
def test_very_long_number_is_read_as_a_decimal(digits: str) -> None:
    read = values(f"key: {digits}")

    assert isinstance(read, dict)
    assert isinstance(read["key"], Decimal)


def test_every_value_has_its_line() -> None:
    data = values("a: 1\nb:\n  - x\n  - c: 2\n    d: 3\n")

    assert [line_at(data, place) for place in [("a",), ("b", 0), ("b", 1, "d")]] == [1, 3, 5]


def test_missing_value_has_the_line_of_its_container() -> None:
    data = values("a: 1\nb:\n  - x\n  - c: 2\n")

    assert [line_at(data, place) for place in [("z",), ("b", 1, "z"), ("b", 7), ("a", "z")]] == [1, 4, 2, 1]


def test_alias_repeats_the_value_of_its_anchor() -> None:
    assert values("a: &x {k: 1.5}\nb: *x\nc: &y z\nd: *y\n&k e: *k\n") == {
        "a": {"k": Decimal("1.5")},
        "b": {"k": Decimal("1.5")},
        "c": "z",
        "d": "z",
        "e": "e",
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3: a: duplicate key, first on line 1"),
        ("a:\n  - !!python/object:os.system x\n", "f:2: a[0]: the tag 'tag:yaml.org,2002:python/"),
        ("a: !!set {x}\n", "f:1: a: the tag 'tag:yaml.org,2002:set' is not allowed"),
        ("a: 1\n? [b]\n: c\n", "f:2: expected text as a key, got a list, a mapping or an alias"),
        ("a: &x b\n*x : c\n", "f:2: expected text as a key, got a list, a mapping or an alias"),
        ("a: *x\n", "f:1: a: there is no anchor 'x' before this line"),
    ],
)
def test_issue_in_valid_syntax_has_its_location(text: str, fault: str) -> None:
    assert len(faults_of(text)) == 1
    assert faults_of(text)[0].startswith(fault)


def test_first_of_duplicate_keys_counts() -> None:
    data, faults = read_yaml("a: 1\na: 2\n")

    assert data == {"a": 1}
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a: [1, 2\nb: 3\n", "f:2:2: "),
        ("a: 'x\n", "f:2:1: "),
        ("%YAML 2.0\n---\na: 1\n", "f:1:1: "),
    ],
)
def test_invalid_syntax_is_reported_with_line_and_column(text: str, where: str) -> None:
    assert [fault[: len(where)] for fault in refusal(text)] == [where]


def test_issues_before_invalid_syntax_are_reported_too() -> None:
    assert [fault[:4] for fault in refusal("a: 1\na: 2\nb: ]\n")] == ["f:2:", "f:3:"]


def test_second_document_is_refused() -> None:
    assert refusal("a: 1\n---\nb: 2\n") == ["f:2: expected one document, but a second one starts here"]


@pytest.mark.parametrize(("text", "line"), [("a: 1\nb: \x00\n", 2), ("a: \x1b[31m", 1), ("a: \ufffe", 1)])
def test_unprintable_character_is_refused(text: str, line: int) -> None:
    assert refusal(text)[0].startswith(f"f:{line}: the character ")


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(opening: str) -> None:
    assert refusal(opening * 100_000) == [f"f:1: nested deeper than {MAX_LEVELS} levels"]


def test_nesting_up_to_the_limit_is_read() -> None:
    assert values("[" * MAX_LEVELS + "1" + "]" * MAX_LEVELS)


def test_aliases_do_not_hide_deep_nesting() -> None:
    tower = "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 80))

    assert refusal(f"a0: &a0 [x]\n{tower}")[0].endswith(f"nested deeper than {MAX_LEVELS} levels")


def test_alias_bomb_is_refused_early() -> None:
    bomb = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 20))

    assert refusal(f"a0: &a0 [x]\n{bomb}")[0].endswith(f"has more than {MAX_VALUES} values")
