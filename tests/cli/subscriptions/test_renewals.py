"""Printed renewals, at every width, and calls that are refused."""

import pytest

from faregate.dates.months import MonthEnd
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.terms import FirstPeriod
from support.cli.running import ESCAPE, run, told

ORDERED = ("--rule", "yearly-on:11-01", "--ordered", "2026-09-15")
FRANCS = ("--currency", "CHF")
AT_ONCE = (
    *ORDERED,
    "--first-period",
    "prorate",
    "--minimal-run-periods",
    "2",
    "--price",
    "365",
    "--currency",
    "CHF",
)


def printed(*options: str, columns: int = 80) -> str:
    """Return the output of a valid call."""
    result = run("renewals", *options, columns=columns)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


WAITING = """\
Every year on 1 November · ordered on 15 Sep 2026 · Europe/Zurich
starts on 1 Nov 2026 · next billing on 1 Nov 2027 · earliest end on 1 Nov 2026

          From           To  Days                  Starts at
────────────────────────────────────────────────────────────
 1  1 Nov 2026  31 Oct 2027   365  2026-11-01T00:00:00+01:00
 2  1 Nov 2027  31 Oct 2028   366  2027-11-01T00:00:00+01:00
 3  1 Nov 2028  31 Oct 2029   365  2028-11-01T00:00:00+01:00
 4  1 Nov 2029  31 Oct 2030   365  2029-11-01T00:00:00+01:00
 5  1 Nov 2030  31 Oct 2031   365  2030-11-01T00:00:00+01:00
 6  1 Nov 2031  31 Oct 2032   366  2031-11-01T00:00:00+01:00
 7  1 Nov 2032  31 Oct 2033   365  2032-11-01T00:00:00+01:00
 8  1 Nov 2033  31 Oct 2034   365  2033-11-01T00:00:00+01:00
 9  1 Nov 2034  31 Oct 2035   365  2034-11-01T00:00:00+01:00
10  1 Nov 2035  31 Oct 2036   366  2035-11-01T00:00:00+01:00
11  1 Nov 2036  31 Oct 2037   365  2036-11-01T00:00:00+01:00
12  1 Nov 2037  31 Oct 2038   365  2037-11-01T00:00:00+01:00
"""

PRORATED = """\
Every year on 1 November · ordered on 15 Sep 2026 · Europe/Zurich
starts on 15 Sep 2026 · next billing on 1 Nov 2026
earliest end on 1 Nov 2028 after 2 periods
first period of 47 days, 47/365 of a whole one
first payment CHF 47.00 · each later one CHF 365.00

          From           To  Days                  Starts at
────────────────────────────────────────────────────────────
0  15 Sep 2026  31 Oct 2026    47  2026-09-15T00:00:00+02:00
1   1 Nov 2026  31 Oct 2027   365  2026-11-01T00:00:00+01:00
"""

NARROW = """\
Every year on 1 November
ordered on 15 Sep 2026 · Europe/Zurich
starts on 15 Sep 2026
next billing on 1 Nov 2026
earliest end on 1 Nov 2028 after 2 periods
first period of 47 days, 47/365 of a whole one
first payment CHF 47.00
each later one CHF 365.00

0: 15 Sep 2026 to 31 Oct 2026 · 47 days
2026-09-15T00:00:00+02:00
1: 1 Nov 2026 to 31 Oct 2027 · 365 days
2026-11-01T00:00:00+01:00
"""

DATES_ONLY = """\
Every month · ordered on 31 Jan 2026 · Europe/Zurich
dates only, with --month-end forward · a subscription is always clamped

          From           To  Days                  Starts at
────────────────────────────────────────────────────────────
1  31 Jan 2026  28 Feb 2026    29  2026-01-31T00:00:00+01:00
2   1 Mar 2026  30 Mar 2026    30  2026-03-01T00:00:00+01:00
3  31 Mar 2026  30 Apr 2026    31  2026-03-31T00:00:00+02:00
"""


@pytest.mark.parametrize(
    ("options", "columns", "text"),
    [
        (ORDERED, 80, WAITING),
        ((*AT_ONCE, "--count", "1"), 67, PRORATED),
        ((*AT_ONCE, "--count", "1"), 46, NARROW),
        (
            ("--rule", "monthly", "--ordered", "2026-01-31", "--count", "3", "--month-end", "forward"),
            80,
            DATES_ONLY,
        ),
    ],
    ids=["wide", "prorated", "narrow", "dates only"],
)
def test_printed_renewals_match_the_expected_text(options: tuple[str, ...], columns: int, text: str) -> None:
    assert printed(*options, columns=columns) == text


@pytest.mark.parametrize("columns", [16, 25, 40, 66, 67, 200])
def test_every_width_shows_every_date_and_instant(columns: int) -> None:
    text = printed(*AT_ONCE, columns=columns)

    lines = text.splitlines()
    assert ESCAPE not in text
    assert "…" not in text
    assert [line for line in lines if line != line.rstrip()] == []
    assert text.count("-11-01T00:00:00+01:00\n") == 12
    assert "31 Oct 2038" in text


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("every-days:1", "Every day"),
        ("every-days:30", "Every 30 days"),
        ("monthly", "Every month"),
        ("yearly", "Every year"),
        ("monthly-on:1", "Every month on the 1st"),
        ("monthly-on:12", "Every month on the 12th"),
        ("monthly-on:22", "Every month on the 22nd"),
        ("monthly-on:23", "Every month on the 23rd"),
        ("monthly-on:31", "Every month on the 31st"),
        ("yearly-on:02-29", "Every year on 29 February"),
        ("yearly-on:12-31", "Every year on 31 December"),
    ],
)
def test_rule_is_printed_in_words(rule: str, words: str) -> None:
    title = printed("--rule", rule, "--ordered", "2026-09-15").splitlines()[0]

    assert title == f"{words} · ordered on 15 Sep 2026 · Europe/Zurich"


@pytest.mark.parametrize(
    ("price", "currency", "first", "later"),
    [
        ("9000", "JPY", "JPY 3000", "JPY 9000"),
        ("9.000", "KWD", "KWD 3.000", "KWD 9.000"),
    ],
)
def test_payments_are_printed_in_the_currency(price: str, currency: str, first: str, later: str) -> None:
    asked = ("--rule", "monthly-on:1", "--ordered", "2026-11-21", "--first-period", "prorate")

    text = printed(*asked, "--price", price, "--currency", currency)

    assert (
        f"\nfirst period of 10 days, 1/3 of a whole one\nfirst payment {first} · each later one {later}\n"
        in text
    )


def test_one_day_is_singular() -> None:
    text = printed("--rule", "monthly-on:2", "--ordered", "2026-11-01", "--first-period", "free")

    assert "\nfirst period of 1 day, 1/31 of a whole one\n" in text  # of the month from 2 October


def test_help_names_every_mode_and_form() -> None:
    text = " ".join(run("renewals", "--help").stdout.split())

    for mode in (*MonthEnd, *FirstPeriod, *DayCount):
        assert mode.value in text
    assert "every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01" in text
    assert "Subscriptions always use clamp" in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--rule", "weekly"),
            "--rule: 'weekly' is not a renewal rule, expected one like every-days:30, monthly,",
        ),
        (
            ("--ordered", "yesterday"),
            "--ordered: invalid date or date-time: 'yesterday', expected one such as 2026",
        ),
        (
            ("--zone", "Europe/Zürich"),
            "--zone: unknown time zone 'Europe/Zürich': did you mean 'Europe/Zurich'?",
        ),
        (
            ("--month-end", "clamped"),
            "--month-end: 'clamped' is not one of clamp, forward, omit, reject: did you mean 'clamp'?",
        ),
        (("--first-period", "now"), "--first-period: 'now' is not one of wait, prorate, full, free"),
        (
            ("--day-count", "30/360"),
            "--day-count: '30/360' is not one of actual, fixed30, 30e/360, every-month-30",
        ),
        (("--price", "ten", *FRANCS), "--price: 'ten' is not an amount"),
        (("--price", "5", "--currency", "chf"), "--currency: unknown currency 'chf': write 'CHF'"),
        (
            ("--rule", "every-days:36525", "--count", "1000"),
            "--count: a date is outside the years 1 to 9999: ask for fewer periods",
        ),
        (
            ("--minimal-run-periods", "99999999999999999999"),
            "--minimal-run-periods: a date is outside the years 1 to 9999: ask for fewer",
        ),
        (
            ("--month-end", "omit", "--price", "5", "--currency", "CHF", "--first-period", "wait"),
            "always use clamp: leave out --first-period, --price, or use clamp",
        ),
        (
            ("--month-end", "reject", "--minimal-run-periods", "1", "--day-count", "actual"),
            ": leave out --minimal-run-periods, --day-count, or use clamp",
        ),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["table", "json"])
def test_bad_value_is_refused_with_advice(options: tuple[str, ...], said: str, form: tuple[str, ...]) -> None:
    asked = ("--rule", "monthly", "--ordered", "2026-09-15", *options)  # the last of an option counts

    result = run("renewals", *asked, *form)

    (fault,), outcome = told(result)
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in fault
    assert outcome == "nothing was shown"


def test_every_issue_of_a_call_has_its_own_line() -> None:
    bad = ("--rule", "x", "--ordered", "x", "--zone", "x", "--month-end", "x", "--first-period", "x")

    result = run("renewals", *bad, "--day-count", "x", "--price", "x", "--currency", "CHF")

    *faults, advice = result.stderr.splitlines()
    assert {fault.partition(": ")[0] for fault in faults} == {*bad[::2], "--day-count", "--price"}
    assert len(faults) == 7
    assert advice == "nothing was shown: correct the 7 faults above and try again"


def test_control_characters_in_a_call_cannot_reach_the_terminal() -> None:
    result = run("renewals", "--rule", f"{ESCAPE}[31m\u202e\n", "--zone", f"{ESCAPE}[31m\u202e")

    assert ESCAPE not in result.output
    assert "\u202e" not in result.output
