"""Printed insights of a file, at every width, and faulty calls."""

import os
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from faregate_cli.terminal.groups import key_label
from support.cli.price_files import PRICE, TABLE, as_json, faults, groups, parquet, printed, written
from support.cli.running import ESCAPE, program, run

# By hand: the quartiles of 60, 60, 70, 80, 80 are the second, third and fourth; those of 40, 50 lie between.
GROUPED = """\
7 prices in CHF · 2 groups of season · benchmark 70.00

        n    Min   25 %   50 %   75 %    Max
────────────────────────────────────────────
summer  2  40.00  42.50  45.00  47.50  50.00
winter  5  60.00  60.00  70.00  80.00  80.00

        Low below 25 %  High above 75 %      Rank    Level  Position
────────────────────────────────────────────────────────────────────
summer           42.50            47.50  100.00 %     high      5.50
winter           60.00            80.00   50.00 %  typical      0.50

40.00 ███████████████████████████████████▌                                    1
50.00 ███████████████████████████████████▌                                    1
60.00 ███████████████████████████████████████████████████████████████████████ 2
70.00 ███████████████████████████████████▌                                    1 ◂
80.00 ███████████████████████████████████████████████████████████████████████ 2
"""

NARROW = """\
7 prices in CHF
2 groups of season
benchmark 70.00

summer: n 2 · min 40.00
quartiles 42.50, 45.00, 47.50
max 50.00 · low below 42.50
high above 47.50
rank 100.00 % · high
position 5.50
winter: n 5 · min 60.00
quartiles 60.00, 70.00, 80.00
max 80.00 · low below 60.00
high above 80.00 · rank 50.00 %
typical · position 0.50

40.00 ██████████▌           1
50.00 ██████████▌           1
60.00 █████████████████████ 2
70.00 ██████████▌           1 ◂
80.00 █████████████████████ 2
"""

IN_ASCII = """\
2 prices in CHF - benchmark 45.00

            n    Min   25 %   50 %   75 %    Max
------------------------------------------------
all prices  2  40.00  42.50  45.00  47.50  50.00

            Low below 25 %  High above 75 %     Rank    Level  Position
-----------------------------------------------------------------------
all prices           42.50            47.50  50.00 %  typical      0.50

40.00 ######################### 1
50.00 ######################### 1
"""


@pytest.mark.parametrize(("columns", "text"), [(81, GROUPED), (31, NARROW)], ids=["wide", "narrow"])
def test_printed_insights_match_the_expected_text(tmp_path: Path, columns: int, text: str) -> None:
    file = written(tmp_path, TABLE)

    assert printed(file, "--by", "season", "--benchmark", "70", columns=columns) == text


def test_pipe_gets_plain_text_and_ascii_terminal_gets_ascii(tmp_path: Path) -> None:
    file = written(tmp_path, "price\n40\n50\n")

    done = program(
        *("insights", file, *PRICE, "--benchmark", "45"),
        PYTHONIOENCODING="ascii",
        COLUMNS="80",
    )

    text = done.stdout.decode("ascii").replace("#" * 72, "#" * 25)
    assert (done.returncode, done.stderr) == (0, b"")
    assert text == IN_ASCII


@pytest.mark.parametrize("columns", [16, 25, 40, 66, 80, 200])
def test_every_width_shows_every_figure(tmp_path: Path, columns: int) -> None:
    file = written(tmp_path, TABLE)

    text = printed(
        file, "--by", "season", "--benchmark", "70", "--lower", "97.5", "--upper", "99", columns=columns
    )

    assert ESCAPE not in text
    assert "…" not in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    for figure in ("42.50", "45.00", "47.50", "49.75", "49.90", "100.00 %", "50.00 %"):
        assert figure in text


def test_many_prices_are_shown_in_a_few_classes(tmp_path: Path) -> None:
    file = written(tmp_path, "price\n" + "".join(f"{cents / 100:.2f}\n" for cents in range(6000)))

    bars = printed(file, "--benchmark", "12.34").split("\n\n")[-1].splitlines()

    labels = [bar.partition("█")[0].strip() for bar in bars]
    assert (len(labels), labels[0], labels[-1]) == (12, "0.00 – 4.99", "55.00 – 59.99")
    assert [bar for bar in bars if bar.endswith(" ◂")] == [bars[2]]


def test_ranks_are_shown_only_with_a_benchmark(tmp_path: Path) -> None:
    file = written(tmp_path, TABLE)

    assert "Rank" not in printed(file)
    assert {group["benchmark"] for group in groups(file)} == {None}


def test_one_price_has_no_position(tmp_path: Path) -> None:
    file = written(tmp_path, "price\n60\n")

    (group,) = groups(file, "--benchmark", "60")

    assert group["benchmark"] == {
        "price": 60,
        "percentile": 50,
        "interpolatedPercent": 50,
        "level": "typical",
        "position": None,
    }
    assert "no position" in printed(file, "--benchmark", "60", columns=30)
    assert printed(file, "--benchmark", "60").startswith("1 price in CHF · benchmark 60.00\n")


def test_json_equals_the_table(tmp_path: Path) -> None:
    file = written(tmp_path, TABLE)

    found = as_json(file, "--by", "season", "--benchmark", "70", "--lower", "2.5")

    assert found == {
        "currency": "CHF",
        "price": "price",
        "by": ["season"],
        "groups": [
            {
                "group": {"season": "summer"},
                "n": 2,
                "min": 40,
                "quartiles": [Decimal("42.5"), 45, Decimal("47.5")],
                "max": 50,
                "mean": 45,
                "thresholds": {
                    "lower": {"price": Decimal("40.25"), "percentile": Decimal("2.5")},
                    "upper": {"price": Decimal("47.5"), "percentile": 75},
                },
                "benchmark": {
                    "price": 70,
                    "percentile": 100,
                    "interpolatedPercent": 100,
                    "level": "high",
                    "position": Decimal("4.1034"),  # 29.75 of 7.25
                },
            },
            {
                "group": {"season": "winter"},
                "n": 5,
                "min": 60,
                "quartiles": [60, 70, 80],
                "max": 80,
                "mean": 70,
                "thresholds": {
                    "lower": {"price": 60, "percentile": Decimal("2.5")},
                    "upper": {"price": 80, "percentile": 75},
                },
                "benchmark": {
                    "price": 70,
                    "percentile": 50,
                    "interpolatedPercent": 50,
                    "level": "typical",
                    "position": Decimal("0.5"),
                },
            },
        ],
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prices.csv", "prices.parquet"])
def test_a_terminal_shows_the_progress_of_reading(tmp_path: Path, name: str) -> None:
    file = parquet(tmp_path, price=[500]) if name.endswith("t") else written(tmp_path, "price\n5\n")
    ours, theirs = os.openpty()
    kept = {name: text for name, text in os.environ.items() if name not in {"FORCE_COLOR", "TTY_COMPATIBLE"}}

    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "faregate_cli",
            "insights",
            str(file),
            *PRICE,
            *(("--unit", "minor") if name.endswith("t") else ()),
        ],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**kept, "TERM": "xterm", "COLUMNS": "80"},
        check=True,
    )
    os.close(theirs)
    seen = os.read(ours, 100_000).decode()
    os.close(ours)

    assert f"Reading {name}" in seen
    assert done.stdout.decode().startswith("1 price in CHF\n")


@pytest.mark.slow
def test_a_pipe_gets_no_progress_even_with_forced_colours(tmp_path: Path) -> None:
    file = written(tmp_path, "price\n5\n")

    assert program("insights", file, *PRICE, FORCE_COLOR="1").stderr == b""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--benchmark", "x"), "--benchmark: 'x' is not an amount"),
        (("--lower", "x"), "--lower: 'x' is not a percentage, expected a number such as 25 or 97.5"),
        (("--upper", "100.0001"), "--upper: expected a percentage from 0 to 100, got '100.0001'"),
        (
            ("--upper", "33.33333"),
            "--upper: 33.33333 % is not a whole number of parts per million, expected a number such as",
        ),
        (("--lower", "80"), "--lower: 80 is above --upper, 75"),
        (("--currency", "XAU"), "--currency: unknown currency 'XAU'"),
    ],
)
def test_bad_value_is_refused_with_advice(tmp_path: Path, options: Sequence[str], said: str) -> None:
    (line,) = faults(written(tmp_path, TABLE), *options)

    assert said in line


def test_every_issue_of_a_call_has_its_own_line(tmp_path: Path) -> None:
    bad = ("--lower", "x", "--upper", "x", "--benchmark", "x")

    lines = faults(tmp_path / "x.csv", *bad)

    assert [line.partition(": ")[0] for line in lines] == [
        "--lower",
        "--upper",
        "--benchmark",
        str(tmp_path / "x.csv"),
    ]


def test_help_names_the_command_its_options_and_their_forms() -> None:
    assert "insights" in run("--help").stdout.split()

    text = " ".join(run("insights", "--help").stdout.split())

    for word in ("--price", "--by", "--benchmark", "--lower", "--upper", "--currency", "--json"):
        assert f"{word} " in text
    assert "decimals are in major units, and --unit gives the unit of integers" in text


@pytest.mark.parametrize(
    ("parts", "label"),
    [
        ([], ""),
        (["short"], "short"),
        (["x" * 40], "x" * 40),
        (["x" * 41], "x" * 37 + "..."),
        (["x" * 50, "Mon"], "x" * 32 + "..., Mon"),
        (["Mon", "x" * 50, "y" * 50], f"Mon, {'x' * 13}..., {'y' * 13}..."),
    ],
)
def test_longest_parts_of_a_long_key_are_cut_off(parts: list[str], label: str) -> None:
    assert key_label(parts) == label
