"""Defaults of a call about validities, its JSON output, and refusals."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from support.cli.running import AT, ESCAPE, SLOPES, ask, december, run, told


def answer(product: str, *options: str) -> dict[str, Any]:
    """Return the parsed output with exact numbers."""
    result = ask(product, "--json", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    parsed: dict[str, Any] = json.loads(result.stdout, parse_float=Decimal, parse_int=Decimal)
    return parsed


@pytest.mark.parametrize(
    ("at", "first", "last"),
    [
        ("2026-12-03T22:59:59Z", "2026-12-03", "2027-01-31"),
        ("2026-12-03T23:00:00Z", "2026-12-04", "2027-01-31"),
        ("2027-01-31T12:00:00+01:00", "2027-01-31", "2027-02-28"),
    ],
)
def test_default_window_is_from_the_merchants_today_to_the_end_of_next_month(
    at: str, first: str, last: str
) -> None:
    found = answer("day-pass", "--at", at)

    assert (found["dateFrom"], found["dateTo"]) == (first, last)


def test_defaults_are_the_standard_variant_and_the_first_duration() -> None:
    found = answer("day-pass", *december(3, 3))

    assert found["productVariantIds"] == [301]
    assert [option["duration"] for option in found["options"]] == ["P1D"]
    assert answer("sledging")["productVariantIds"] == [321]


def test_default_instant_is_now() -> None:
    result = run("validities", "garden", "--catalogue", SLOPES)

    assert result.exit_code == 0
    assert re.search(r"^([23]\d|30) of \1 days|^(\d\d) of \2 days", result.stdout, re.MULTILINE)


def test_number_is_read_as_an_id_before_a_slug() -> None:
    assert answer("31")["product"] == {"id": 31, "slug": "day-pass", "name": "day-pass"}
    assert "31 has no durations in the catalogue, " in ask("37").stderr


def test_json_has_every_number_exact() -> None:
    found = answer("day-pass", "--variant", "301", "--variant", "303", "--variant", "301", *december(5, 10))

    assert found["at"] == "2026-12-03T21:30:00+01:00"
    assert (found["currency"], found["quantity"], found["hasCapacities"]) == ("CHF", 1, True)
    assert found["productVariantIds"] == [301, 303]
    assert len(found["options"]) == 6
    assert found["options"][0] == {
        "from": "2026-12-05T00:00:00+01:00",
        "to": "2026-12-06T00:00:00+01:00",
        "duration": "P1D",
        "isAvailable": True,
        "obstacle": None,
        "capacity": {"min": 22, "max": 90},
        "price": {"minPrice": Decimal("89.5"), "maxPrice": 199},
        "bottleneck": {"pool": "slopes", "day": "2026-12-05", "slot": None},
    }
    assert found["options"][5]["capacity"] is found["options"][5]["bottleneck"] is None


def test_json_has_the_obstacle_of_a_validity() -> None:
    obstacles = [option["obstacle"] for option in answer("day-pass", *december(2, 9))["options"]]

    assert obstacles == ["too-late", None, None, None, "sold-out", None, "closed", None]


def test_json_names_the_slot_that_limits() -> None:
    (option,) = answer("sledging", "--duration", "PT4H", *december(3, 3), "--available")["options"]

    assert (option["from"], option["to"]) == ("2026-12-03T22:00:00+01:00", "2026-12-04T02:00:00+01:00")
    assert option["price"] == {"minPrice": 20, "maxPrice": 20}
    assert option["bottleneck"] == {"pool": "sledges", "day": "2026-12-03", "slot": "22:00"}


def test_json_of_several_durations_is_one_chronological_list() -> None:
    found = answer("day-pass", "--variant", "302", "--duration", "P3D", "--duration", "P1D", *december(9, 10))

    assert [(option["from"][8:10], option["duration"]) for option in found["options"]] == [
        ("09", "P1D"),
        ("09", "P3D"),
        ("10", "P1D"),
        ("10", "P3D"),
    ]


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        (["day-pas"], ["unknown product 'day-pas': did you mean 'day-pass'?"]),
        (["lunch"], ["lunch is sold without validity periods, so it has no calendar"]),
        (["37"], ["31 has no durations in the catalogue, so it has no calendar"]),
        (["garden", "--to", "2026-02-30"], ["--to: the date or time 2026-02-30 does not exist"]),
        (["garden", *december(4, 3)], ["--to: 2026-12-03 is before the first day, 2026-12-04"]),
        (["garden", "--to", "2027-12-04"], ["expected a window of 1 to 366 days, got 367 from 2026-12-03"]),
        (
            ["day-pass", "--duration", "P2D", "--duration", "soon"],
            [
                "--duration: day-pass: expected one of the durations P1D, P3D, got 'P2D'",
                "--duration: invalid ISO 8601 duration: 'soon'",
            ],
        ),
        (
            ["day-pass", "--variant", "321", "--variant", "adult"],
            [
                "--variant: day-pass: expected one of the variants 302, 301, 303, got '321'",
                "--variant: day-pass: expected one of the variants 302, 301, 303, got 'adult'",
            ],
        ),
        (
            ["garden", "--from", "5 Dec", "--to", "2026-12-01", "--at", "2026-12-03T21:30:00"],
            [
                "--at: 2026-12-03T21:30:00 has no UTC offset: write it as in 2026-12-27T00:00:00+01:00",
                "--from: expected a date such as 2026-12-27, got '5 Dec'",
            ],
        ),
        ([f"{ESCAPE}[31m\u202e"], ["unknown product '\\x1b[31m\\u202e'"]),
        (["--", "-"], ["unknown product '-'"]),
        ([""], ["unknown product ''"]),
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["calendar", "json"])
def test_every_issue_of_a_call_is_reported_and_nothing_is_printed(
    arguments: list[str], faults: list[str], options: list[str]
) -> None:
    result = run("validities", "--catalogue", SLOPES, "--at", AT, *options, *arguments)

    assert (result.exit_code, result.stdout) == (1, "")
    assert told(result) == (faults, "nothing was shown")


@pytest.mark.slow
def test_farthest_dates_and_longest_windows_cause_no_traceback() -> None:
    far = ask("garden", "--from", "8999-01-01", "--to", "8999-12-31", "--at", "8999-06-01T00:00:00Z")
    leap = ask("garden", "--from", "2028-01-01", "--to", "2028-12-31")
    early = ask("garden", "--from", "1900-01-01")

    assert [result.exit_code for result in (far, leap, early)] == [0, 0, 0]
    assert "December 8999\n" in far.stdout
    assert "366 of 366 days can be booked" in leap.stdout
