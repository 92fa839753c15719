"""Files of prices and the output of the command line for them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from support.cli.running import run

WINTER, SUMMER = (60, 80, 60, 70, 80), (50, 40)
SEASONS = [*[("winter", price) for price in WINTER], *[("summer", price) for price in SUMMER]]
PRICE = ("--price", "price", "--currency", "CHF")
TABLE = "".join(["season,price\n", *[f"{season},{price}.00\n" for season, price in SEASONS]])


def written(folder: Path, text: str | bytes, name: str = "prices.csv") -> Path:
    """Write a file with that content."""
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def parquet(folder: Path, name: str = "prices.parquet", **columns: Any) -> Path:
    """Write a file with those columns, in groups of three rows."""
    file = folder / name
    pq.write_table(pa.table(columns), file, row_group_size=3)
    return file


def decimals(*texts: str | None, scale: int = 2) -> Any:
    """Return a column of exact decimals."""
    values = [None if text is None else Decimal(text) for text in texts]
    return pa.array(values, pa.decimal128(18, scale))


def in_francs(file: Path, options: Sequence[str]) -> tuple[str, ...]:
    """Add a currency to *options* if they name none, and the unit of integer columns."""
    said = () if "--currency" in options else ("--currency", "CHF")
    return (*options, *said, *(("--unit", "minor") if _has_integers(file) else ()))


def _has_integers(file: Path) -> bool:
    if file.suffix != ".parquet" or not file.is_file():
        return False
    with suppress(pa.ArrowException, KeyError):
        return bool(pa.types.is_integer(pq.read_schema(file).field("price").type))
    return False


def printed(file: Path, *options: str, columns: int = 80) -> str:
    """Return the output for a valid file of prices."""
    result = run("insights", file, "--price", "price", *in_francs(file, options), columns=columns)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def as_json(file: Path, *options: str) -> dict[str, Any]:
    return json.loads(printed(file, "--json", *options), parse_float=Decimal)  # type: ignore[no-any-return]


def groups(file: Path, *options: str) -> list[Any]:
    return as_json(file, *options)["groups"]  # type: ignore[no-any-return]


def faults(file: Path, *options: str) -> list[str]:
    """Return the errors for a file that cannot be used."""
    result = run("insights", file, "--price", "price", *in_francs(file, options))
    *lines, advice = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (1, "")
    assert advice.startswith("nothing was shown: correct the ")
    return lines
