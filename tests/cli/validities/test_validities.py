"""Printed calendars, at every width, with and without colours."""

import re
import subprocess
from pathlib import Path

import pytest

from support.cli.running import AT, ESCAPE, SLOPES, ask, december, program, run

WIDE = """\
Day pass · Adult · 1 day · CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
       Mon        Tue        Wed        Thu        Fri        Sat        Sun
────────────────────────────────────────────────────────────────────────────
                               2          3          4          5          6
                        too late      79.00      79.00      89.50      89.50
                                  1990 left  1990 left    90 left   sold out

         7          8          9         10         11         12         13
     79.00     closed      79.00      79.00      79.00      89.50      89.50
 1990 left             1990 left          ∞  1990 left  1990 left  1990 left

        14         15         16         17         18         19         20
     79.00      79.00      79.00      79.00      79.00      89.50      89.50
 1990 left  1990 left  1990 left  1990 left  1990 left  1990 left  1990 left

        21         22         23         24         25
     79.00      79.00      79.00    1089.00 off season
 1990 left  1990 left  1990 left  1990 left

20 of 24 days can be booked · 79.00 to 1089.00 CHF · next on 3 Dec 2026
too late: no longer sold · off season: not running at that time of the year
∞: any number of units
"""

NARROW = """\
Day pass · Adult · 1 day · CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
    Mon     Tue     Wed     Thu     Fri     Sat     Sun
───────────────────────────────────────────────────────
              1       2       3       4       5       6
            too     too   79.00   79.00   89.50   89.50
           late    late    1990    1990      90    sold
                                                    out

      7       8       9      10      11      12
  79.00  closed   79.00   79.00   79.00   89.50
   1990            1990       ∞    1990    1990

8 of 12 days can be booked · 79.00 to 89.50 CHF
next on 3 Dec 2026
too late: no longer sold · below the price: units
∞: any number of units
"""

IN_ASCII = """\
Day pass - Child - 1 day - CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
   Mon    Tue    Wed    Thu    Fri    Sat    Sun
------------------------------------------------
            8      9     10     11     12
       closed  39.00  39.00  39.00  39.00
                1990    any   1990   1990

4 of 5 days can be booked - 39.00 CHF - next on 9 Dec 2026
below the price: units - any: any number of units
"""

LISTED = """\
Day pass · all variants · 1 day · 100 at once · CHF
3 Dec 2026, 21:30 CET, with nothing sold

November 2026
Mon 30          too late

December 2026
Tue  1          too late
Wed  2          too late
Thu  3  39.00+  1990 left
Fri  4  39.00+  1990 left
Sat  5  39.00+  only 90
Sun  6  39.00+  sold out
Mon  7  39.00+  1990 left
Tue  8          closed

3 of 9 days can be booked · 39.00 to 79.00 CHF
next on 3 Dec 2026
too late: no longer sold · +: others cost more
the price is per unit
"""

STARTS = """\
Sledging · 2 hours · CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
Thu  3  10:00–12:00         too late
        12:00–14:00         too late
        22:00–00:00  12.00  20 left
Fri  4  10:00–12:00  12.00  sold out
        12:00–14:00  12.00  sold out
        22:00–00:00  12.00  sold out
Sat  5  10:00–12:00  12.00  2 left
        12:00–14:00  12.00  2 left
        22:00–00:00  12.00  2 left

2 of 3 days can be booked · 12.00 CHF · next on 3 Dec 2026
too late: no longer sold
"""

DAYS_OF_STARTS = """\
Sledging · 2 hours · CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
     Mon       Tue       Wed       Thu       Fri       Sat       Sun
────────────────────────────────────────────────────────────────────
                           2         3         4         5         6
                    too late     12.00     12.00     12.00     12.00
                               20 left  sold out    6 left   90 left

       7         8         9
   12.00     12.00     12.00
 60 left   60 left   60 left

6 of 8 days can be booked · 12.00 CHF · next on 3 Dec 2026
too late: no longer sold · left: units of all starts together, at most
"""

UNLIMITED = """\
Garden · 1 day · CHF
3 Dec 2026, 21:30 CET, with nothing sold

December 2026
 Mon   Tue   Wed   Thu   Fri   Sat   Sun
────────────────────────────────────────
                     3     4     5     6
                  5.00  5.00  5.00  5.00
                     ∞     ∞     ∞     ∞

4 of 4 days can be booked · 5.00 CHF · next on 3 Dec 2026
∞: any number of units
"""


@pytest.mark.parametrize(
    ("product", "options", "columns", "printed"),
    [
        ("day-pass", december(2, 25), 80, WIDE),
        ("31", december(1, 12), 60, NARROW),
        ("day-pass", (*december(0, 8), "--variant", "all", "--quantity", "100"), 59, LISTED),
        ("sledging", december(3, 5), 80, STARTS),
        ("sledging", december(2, 9), 80, DAYS_OF_STARTS),
        ("garden", december(3, 6), 80, UNLIMITED),
    ],
    ids=["wide", "narrow", "list", "starts", "days of starts", "unlimited"],
)
def test_printed_calendar_matches_the_expected_text(
    product: str, options: tuple[str, ...], columns: int, printed: str
) -> None:
    result = ask(product, *options, columns=columns)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == printed


def in_a_process(*options: str, text: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    asked = ("--at", AT, *december(8, 12), *options)
    return program("validities", "day-pass", "--catalogue", SLOPES, *asked, text=text, **environment)


@pytest.mark.slow
def test_ascii_terminal_gets_ascii() -> None:
    done = in_a_process("--variant", "302", PYTHONIOENCODING="ascii", COLUMNS="60")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii").splitlines() == IN_ASCII.splitlines()


@pytest.mark.slow
def test_colours_show_available_scarce_and_unavailable_days() -> None:
    days = december(4, 8)
    colourful = in_a_process(*days, FORCE_COLOR="1", TERM="xterm").stdout.decode()
    plain = in_a_process(*days, FORCE_COLOR="1", TERM="xterm", NO_COLOR="1").stdout.decode()

    for style, word in [(32, "1990 left"), (33, "90 left"), (2, "sold out"), (2, "closed")]:
        assert re.search(rf"{ESCAPE}\[{style}m *{word}{ESCAPE}\[0m", colourful)
    assert f"{ESCAPE}[32mcan be booked{ESCAPE}[0m · {ESCAPE}[33mfew left{ESCAPE}[0m" in colourful
    assert "[32m" not in plain
    assert "few left" not in plain


@pytest.mark.parametrize("columns", [16, 60, 75, 80, 100, 200])
@pytest.mark.parametrize(
    ("product", "options"),
    [
        ("day-pass", ("--variant", "all")),
        ("day-pass", ("--duration", "P3D")),
        ("sledging", ("--quantity", "25")),
        ("rules", ()),
        ("later", ()),
    ],
)
def test_every_width_shows_every_day_price_and_number(
    product: str, options: tuple[str, ...], columns: int
) -> None:
    printed = ask(product, *options, columns=columns).stdout
    reference = ask(product, *options, columns=59).stdout

    def words(text: str) -> set[str]:
        return set(re.findall(r"\d+\.\d\d\+?|\b\d{1,2}\b", text))

    lines = printed.splitlines()
    assert ESCAPE not in printed
    assert "…" not in printed
    assert [line for line in lines if line != line.rstrip()] == []
    assert words(printed) == words(reference)
    assert max(map(len, lines)) <= max(min(columns, 100), 40)


def test_price_too_long_for_a_cell_turns_the_grid_into_a_list(tmp_path: Path) -> None:
    dear = tmp_path / "dear.yaml"
    dear.write_text(SLOPES.read_text(encoding="utf-8").replace("amount: 79}", "amount: 79000000}"))

    def asked(columns: int) -> str:
        options = ("--at", AT, *december(9, 11))
        return run("validities", "day-pass", "--catalogue", dear, *options, columns=columns).stdout

    assert "Wed  9  79000000.00  1990 left\n" in asked(80)
    assert " 79000000.00  79000000.00  79000000.00\n" in asked(100)


@pytest.mark.parametrize(
    ("product", "options", "word", "meaning"),
    [
        ("day-pass", december(25, 25), "off season", "not running at that time of the year"),
        ("day-pass", december(8, 8), "closed", ""),
        ("day-pass", december(6, 6), "sold out", ""),
        ("day-pass", december(2, 2), "too late", "no longer sold"),
        ("rules", december(9, 9), "too early", "not yet sold"),
        ("rules", ("--at", "2026-12-01T09:00:00Z", *december(3, 3)), "no start", "nothing begins that day"),
        ("rules", december(4, 4), "other length", "too short or too long to begin that day"),
        ("later", december(4, 4), "not on sale", "sales have not begun, or are over"),
    ],
)
@pytest.mark.parametrize("columns", [40, 80])
def test_obstacle_is_one_word_and_explained_if_necessary(
    product: str, options: tuple[str, ...], word: str, meaning: str, columns: int
) -> None:
    printed = ask(product, *options, columns=columns).stdout

    body, _, closing = printed.partition("\n\n0 of 1 day can be booked")
    said = " ".join(body.split())
    assert said.endswith(word)
    assert (f"{word}: " in closing) is bool(meaning)
    assert meaning in " ".join(closing.split())


def test_day_without_an_option_shows_only_its_number() -> None:
    grid = ask("day-pass", *december(4, 5), "--variant", "303").stdout
    listed = ask("day-pass", *december(4, 5), "--variant", "303", columns=50).stdout

    assert re.search(r"^ +4 +5\n +199\.00\n +22 left\n", grid, re.MULTILINE)
    assert "\nFri  4\nSat  5  199.00  22 left\n" in listed
    assert "1 of 2 days can be booked" in grid


def test_only_available_days_are_shown_on_request() -> None:
    grid = ask("day-pass", *december(6, 9), "--available").stdout
    listed = ask("day-pass", *december(6, 9), "--available", columns=50).stdout
    starts = ask("sledging", *december(3, 4), "--available").stdout

    assert re.search(r"^ +7 +8 +9\n +79\.00 +79\.00\n1990 left +1990 left\n", grid, re.MULTILINE)
    assert "Mon  7  79.00  1990 left\nWed  9  79.00  1990 left\n\n" in listed
    assert "Thu  3  22:00–00:00  12.00  20 left\n\n" in starts
    assert grid.count("2 of 4 days can be booked") == listed.count("2 of 4 days can be booked") == 1


def test_shown_places_are_those_of_the_variant_with_the_most() -> None:
    printed = ask("day-pass", *december(5, 5), "--variant", "303", "--variant", "302").stdout

    assert printed.startswith("Day pass · Child, Family · 1 day · CHF\n")
    assert "39.00+\n" in printed
    assert "90 left\n" in printed
    assert "left: units of the variant with the most · +: others cost more\n" in printed


def test_each_duration_has_its_own_calendar() -> None:
    printed = ask(
        "day-pass", "--duration", "P3D", "--duration", "P1D", *december(3, 5), "--variant", "302"
    ).stdout

    first, second = printed.split("Day pass · ")[1:]
    assert first.startswith("Child · 3 days · CHF\n")
    assert "99.00" in first
    assert "each day is the first day of a validity period" in first
    assert second.startswith("Child · 1 day · CHF\n")
    assert "39.00" in second


@pytest.mark.parametrize(
    ("product", "options", "said"),
    [
        ("day-pass", december(5, 5), "1 of 1 day can be booked · 89.50 CHF · next on 5 Dec 2026\n"),
        ("day-pass", december(25, 26), "0 of 2 days can be booked · next on 3 Dec 2027\n"),
        ("day-pass", december(-5, 0), "0 of 6 days can be booked · next on 3 Dec 2026\n"),
        (
            "day-pass",
            (*december(5, 6), "--quantity", "91"),
            "0 of 2 days can be booked · next on 7 Dec 2026\n",
        ),
        ("later", december(4, 5), "0 of 2 days can be booked · none within a year\n"),
    ],
)
def test_summary_has_bookable_days_prices_and_next_day(
    product: str, options: tuple[str, ...], said: str
) -> None:
    assert f"\n\n{said}" in ask(product, *options, columns=100).stdout
