"""Prices from CSV and Parquet: read exactly, or refused with every faulty row."""

import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from faregate_cli.insights import parquet_prices
from faregate_cli.insights.groups import MAX_FAULTS
from faregate_cli.terminal.groups import MAX_GROUPS
from support.cli.price_files import PRICE, SEASONS, TABLE, decimals, faults, groups, parquet, printed, written
from support.cli.running import ESCAPE, run

QUOTED = '"first, second";price\n"a ""b""\n;c";"7.50"\n'


@pytest.mark.parametrize(
    ("text", "by", "key"),
    [
        (TABLE, "season", "summer"),
        (TABLE.replace(",", ";"), "season", "summer"),
        (TABLE.replace(",", "\t"), "season", "summer"),
        (TABLE.replace("\n", "\r\n"), "season", "summer"),
        (f"\ufeff{TABLE}", "season", "summer"),
        (TABLE.replace("\n", "\n\n"), "season", "summer"),
        (TABLE.removesuffix("\n"), "season", "summer"),
        (QUOTED, "first, second", 'a "b"\n;c'),
        ("season,price\nété,5\n", "season", "été"),
        ("season,price\n,5\n", "season", ""),
    ],
)
def test_csv_is_read_in_common_forms(tmp_path: Path, text: str, by: str, key: str) -> None:
    first, *_ = groups(written(tmp_path, text), "--by", by)

    assert first["group"] == {by: key}


@pytest.mark.parametrize(
    ("text", "currency", "price"),
    [
        ("7.50", "CHF", "7.5"),
        (" 7.5 ", "CHF", "7.5"),
        ("10000000000", "CHF", "10000000000"),
        ("750", "JPY", "750"),
        ("1.235", "KWD", "1.235"),
    ],
)
def test_a_price_is_read_exactly(tmp_path: Path, text: str, currency: str, price: str) -> None:
    (group,) = groups(written(tmp_path, f"price\n{text}\n"), "--currency", currency)

    assert (group["min"], group["max"]) == (Decimal(price), Decimal(price))


def test_every_faulty_row_is_listed_with_its_line(tmp_path: Path) -> None:
    text = 'a,price\nx,\n"y\nz",1.234\nx,many\nx,-5\nx\n\nx,5,6\nx,7.00\nx,NaN\nx,"49,50"\nx,1e400\n'

    assert faults(written(tmp_path, text)) == [
        "line 2: is empty",
        "line 3: 1.234 has more decimals than CHF, which has 2",
        "line 5: 'many' is not an amount",
        "line 6: expected at least 0, got -5.00",
        "line 7: expected 2 fields, got 1",
        "line 9: expected 2 fields, got 3",
        "line 11: 'NaN' is not an amount",
        "line 12: '49,50' is not an amount",
        "line 13: '1e400' has an exponent: write the amount in full",
    ]


def test_faulty_rows_beyond_a_limit_are_counted(tmp_path: Path) -> None:
    lines = faults(written(tmp_path, "price\n" + "x\n" * (MAX_FAULTS + 7)))

    assert len(lines) == MAX_FAULTS + 1
    assert lines[-2:] == [f"line {MAX_FAULTS + 1}: 'x' is not an amount", "and 7 more faulty rows"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ["prices.csv: has no prices"]),
        (b"\n\n", ["prices.csv: has no prices"]),
        (b"price\n", ["prices.csv: has no prices"]),
        (b"Price,b\n1,2\n", ["--price: unknown column 'price': did you mean 'Price'?"]),
        (b"price,price\n1,2\n", ["--price: there are 2 columns 'price'"]),
        (b"price\n1\n\xff\n", ["line 1 or later: is not UTF-8"]),
        (b'price\n1\n"2"x\n', ["line 3: is not valid CSV: ',' expected after '\"'"]),
        (b'price\n1\n"2\n', ["line 3: is not valid CSV: unexpected end of data"]),
        (
            b"price\n" + b"1" * 200_000 + b"\n",
            ["line 2: is not valid CSV: field larger than field limit (131072)"],
        ),
        (b"price\n" + b"9" * 100 + b"\n", ["line 2: '" + "9" * 30]),
        (b"\x00\x01\x02", ["--price: unknown column 'price', only \ufffd\ufffd\ufffd"]),
    ],
)
def test_files_without_a_table_of_prices_are_refused(tmp_path: Path, content: bytes, said: list[str]) -> None:
    lines = faults(written(tmp_path, content))

    assert len(lines) == len(said)
    for line, part in zip(lines, said, strict=True):
        assert part in line


def test_missing_columns_are_listed_together(tmp_path: Path) -> None:
    names = ",".join(f"c{n}" for n in range(12))

    lines = faults(written(tmp_path, f"{names}\n"), "--by", "seasons", "--by", "c3")

    assert lines == [
        f"{option}: unknown column {name}, only c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 …"
        for option, name in (("--price", "'price'"), ("--by", "'seasons'"))
    ]


def test_too_many_groups_are_refused(tmp_path: Path) -> None:
    rows = "".join(f"{n},5\n" for n in range(MAX_GROUPS + 1))

    assert (
        len(groups(written(tmp_path, f"id,price\n{rows}".removesuffix(f"{MAX_GROUPS},5\n")), "--by", "id"))
        == MAX_GROUPS
    )
    assert faults(written(tmp_path, f"id,price\n{rows}"), "--by", "id") == [
        f"--by: more than {MAX_GROUPS} groups of id: name fewer columns"
    ]


def test_control_characters_in_a_file_cannot_reach_the_terminal(tmp_path: Path) -> None:
    good = written(tmp_path, f"who,price\n{ESCAPE}[31m\u202e,5\n")
    bad = written(tmp_path, f"who,price\n5,{ESCAPE}[31m\u202e\n", "bad.csv")

    shown = printed(good, "--by", "who") + run("insights", bad, *PRICE).output

    assert ESCAPE not in shown
    assert "\u202e" not in shown


CENTS = [100 * price for _, price in SEASONS]
NAMES = [season for season, _ in SEASONS]


@pytest.mark.parametrize(
    "prices",
    [
        pa.array(CENTS, pa.int64()),
        pa.array(CENTS, pa.uint16()),
        decimals(*[str(price) for _, price in SEASONS]),
        decimals(*[str(price) for _, price in SEASONS], scale=4),
        decimals(*[str(price) for _, price in SEASONS], scale=0),
    ],
    ids=["int64", "uint16", "decimal", "fine decimal", "whole decimal"],
)
@pytest.mark.parametrize(
    "seasons", [pa.array(NAMES), pa.array(NAMES).dictionary_encode()], ids=["text", "dictionary"]
)
@pytest.mark.parametrize("batch_rows", [1, 2, 100])
def test_parquet_gives_the_same_results_as_csv(
    tmp_path: Path, prices: Any, seasons: Any, batch_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_prices, "BATCH_ROWS", batch_rows)
    file = parquet(tmp_path, season=seasons, price=prices)
    options = ("--by", "season", "--benchmark", "70")

    assert printed(file, *options) == printed(written(tmp_path, TABLE), *options)


def test_groups_may_be_of_any_plain_type_or_null(tmp_path: Path) -> None:
    file = parquet(
        tmp_path,
        price=[100, 200, 300],
        day=pa.array([20000, None, 20001], pa.date32()),
        flag=[True, None, False],
        weight=[0.5, 1.5, None],
    )

    found = [group["group"] for group in groups(file, "--by", "day", "--by", "flag", "--by", "weight")]

    assert found == [
        {"day": "2024-10-04", "flag": "True", "weight": "0.5"},
        {"day": "2024-10-05", "flag": "False", "weight": None},
        {"day": None, "flag": None, "weight": "1.5"},
    ]
    assert "(none), (none), 1.5" in printed(file, "--by", "day", "--by", "flag", "--by", "weight")


def test_every_faulty_row_of_every_batch_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_prices, "BATCH_ROWS", 2)
    prices = decimals("5.00", None, "-1.00", "1.234", "6.00", "99999999999.00", scale=3)

    assert faults(parquet(tmp_path, price=prices)) == [
        "row 2: is empty",
        "row 3: expected at least 0, got -1.00",
        "row 4: 1.234 has more decimals than CHF, which has 2",
        "row 6: 99999999999.000 exceeds the limit of 1000000000000 minor units",
    ]
    assert faults(parquet(tmp_path, price=[5, None, -1, 10**12, 10**12 + 1])) == [
        "row 2: is empty",
        "row 3: expected at least 0, got -0.01",
        "row 5: 1000000000001 exceeds the limit of 1000000000000 minor units",
    ]


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
def test_binary_fractions_are_refused_with_a_remedy(tmp_path: Path, kind: Any) -> None:
    (line,) = faults(parquet(tmp_path, price=pa.array([None], kind)))

    assert line.startswith(f"--price: column 'price' is of type {kind}, and binary fractions are not exact")
    assert line.endswith("as in CAST(price AS DECIMAL(12, 2)), or to integers of minor units")


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        (
            {"price": ["5.00"]},
            (),
            "--price: column 'price' is of type string, expected decimals in major units or",
        ),
        ({"price": [True]}, (), "--price: column 'price' is of type bool, expected decimals"),
        ({"cents": [5]}, (), "--price: unknown column 'price', only cents"),
        (
            {"price": [5], "tags": [["a"]]},
            ("--by", "tags"),
            "--by: column 'tags' is of type list<element: string>",
        ),
        ({"price": pa.array([], pa.int64())}, (), "prices.parquet: has no prices"),
    ],
)
def test_columns_that_hold_no_prices_or_no_groups_are_refused(
    tmp_path: Path, columns: dict[str, Any], options: Sequence[str], said: str
) -> None:
    (line,) = faults(parquet(tmp_path, **columns), *options)

    assert said in line


def without(module: str, file: Path) -> subprocess.CompletedProcess[str]:
    """Run the command on *file* without an installed module."""
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        f"sys.argv[1:] = ['insights', {str(file)!r}, *{[*PRICE]}]\n"
        "from faregate_cli.__main__ import main; main()"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["pyarrow", "pyarrow.parquet"])
def test_without_pyarrow_the_extra_is_named(tmp_path: Path, missing: str) -> None:
    file = parquet(tmp_path, price=[5])
    done = without(missing, file)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "this command needs pyarrow: install faregate[frames]\n"


@pytest.mark.slow
def test_csv_needs_no_pyarrow(tmp_path: Path) -> None:
    file = written(tmp_path, TABLE)

    assert without("pyarrow", file).returncode == 0
