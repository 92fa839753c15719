"""Repricing of past orders from file to file on one machine: ``python -m benchmarks.reprice_orders``.

Each contender reprices the same Parquet file in a process of its own. Memory is the peak of this process and
its children (Spark's JVM), sampled ten times a second (Linux only). Every written row is compared with the
stream's: by checkout and line, in all figures. Times include start, reading, pricing and writing. Spark runs
if PySpark is installed, or with ``--spark PYTHON`` of another environment. Dask and Spark shuffle; the others
read the file in order. The two scripts are what an analyst would write for one discount rule and VAT per
line; they are compared with ``reprice_parquet`` under that rule.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from faregate import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
    TotalsPolicy,
)
from faregate.discounts.pricing_rules import PricingRules
from faregate.frames import reprice, reprice_parquet
from faregate.tax.rates import VatLevel

LINES = 10_000_000
MOST_LINES = 9
ROW_GROUP = 1_000_000
PRODUCTS = range(11, 31)
PRICES = (990, 1250, 2900, 4900, 5900, 6900, 7900, 9900, 12_900, 19_900)
ENTERED = ("", "", "", "WINTER10", "FAMILY5 WINTER10", "NO-SUCH-CODE")

RULES = PricingRules(
    automatic=(
        AutomaticDiscount(
            id=7,
            kind=Percentage.percent(15, level=DiscountLevel.LINE),
            scope=Scope(products=frozenset({12, 15})),
            conditions=Conditions(thresholds=(Threshold(quantity=2),)),
        ),
        AutomaticDiscount(id=8, kind=BuyXGetY(3, 1), scope=Scope(products=frozenset({20}))),
    ),
    promo_codes=(
        PromoCode(code="WINTER10", kind=Percentage.percent(10)),
        PromoCode(code="FAMILY5", kind=Absolute(500)),
    ),
)
ONE_RULE = PricingRules(
    automatic=(
        AutomaticDiscount(
            id=7,
            kind=Percentage.percent(15, level=DiscountLevel.LINE),
            scope=Scope(products=frozenset({12, 15})),
        ),
    ),
    policy=TotalsPolicy(vat_level=VatLevel.LINE),
)
COLUMNS = {"columns": {"key": "line"}}


class Run(NamedTuple):
    """Input of a contender, and its output: a file, or a folder of files."""

    orders: Path
    target: Path
    by: str

    def asked(self) -> dict[str, Any]:
        return {"by": self.by, "prefix": "new_", **COLUMNS}


# ---------------------------------------------------------------- orders


def write_orders(file: Path, lines: int) -> int:
    """Write orders of 1 to 9 lines each, with text ids and int ids; return the number of lines."""
    drawn = np.random.default_rng(20_261_122)
    sizes = drawn.integers(1, MOST_LINES + 1, lines)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), lines, side="right"))]
    with pq.ParquetWriter(file, orders_of(drawn, 0, sizes[:1]).schema) as writer:
        for start in range(0, len(sizes), ROW_GROUP // MOST_LINES):
            writer.write_table(orders_of(drawn, start, sizes[start : start + ROW_GROUP // MOST_LINES]))
    return int(sizes.sum())


def orders_of(drawn: np.random.Generator, first: int, sizes: Any) -> pa.Table:
    count, rows = len(sizes), int(sizes.sum())
    order = np.repeat(np.arange(count), sizes)
    ids = 10**9 + first + np.arange(count)
    texts = np.char.add(np.char.add("order-", ids.astype(str)), "-web")
    product = drawn.integers(PRODUCTS.start, PRODUCTS.stop, rows)
    price = np.array(PRICES)[drawn.integers(0, len(PRICES), rows)] + 50 * (product - PRODUCTS.start)
    return pa.table(
        {
            "number": ids[order],
            "checkout": pa.array(texts).take(pa.array(order)),
            "line": np.arange(rows) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1,
            "product": product,
            "unit_price": price,
            "quantity": drawn.integers(1, 5, rows),
            "rate": np.where(product % 3 == 0, 26_000, 81_000),
            "codes": pa.array(ENTERED).take(pa.array(drawn.integers(0, len(ENTERED), count)[order])),
            "day": (np.datetime64("2025-11-01") + drawn.integers(0, 180, count))[order],
        }
    )


# ---------------------------------------------------------------- contenders


def with_the_stream(run: Run) -> None:
    reprice_parquet(run.orders, run.target, RULES, **run.asked())


def with_one_core(run: Run) -> None:
    os.sched_setaffinity(0, {0})
    with_the_stream(run)


def with_one_rule(run: Run) -> None:
    reprice_parquet(run.orders, run.target, ONE_RULE, **run.asked())


def with_a_duckdb_script(run: Run) -> None:
    import duckdb

    duckdb.sql(f"""
        COPY (
            SELECT * EXCLUDE (listed, divisor),
                (2_000_000 * new_total_gross + divisor) // (2 * divisor) AS new_total_net
            FROM (SELECT *, listed - new_auto_discount_amount AS new_total_gross, 1_000_000 + rate AS divisor
                FROM (SELECT *, unit_price * quantity AS listed,
                    CASE WHEN product IN (12, 15) THEN (listed * 15 + 50) // 100 ELSE 0 END
                        AS new_auto_discount_amount
                    FROM '{run.orders}'))
        ) TO '{run.target}' (FORMAT parquet)
    """)


def with_a_polars_script(run: Run) -> None:
    import polars as pl

    listed, divisor = pl.col("unit_price") * pl.col("quantity"), 1_000_000 + pl.col("rate")
    discount = pl.when(pl.col("product").is_in([12, 15])).then((listed * 15 + 50) // 100).otherwise(0)
    net = (2_000_000 * pl.col("new_total_gross") + divisor) // (2 * divisor)
    (
        pl.scan_parquet(run.orders)
        .with_columns(new_auto_discount_amount=discount)
        .with_columns(new_total_gross=listed - pl.col("new_auto_discount_amount"))
        .with_columns(new_total_net=net)
        .sink_parquet(run.target)
    )


def with_pyarrow(run: Run) -> None:
    pq.write_table(reprice(pq.read_table(run.orders), RULES, **run.asked()), run.target)


def with_scattered_rows(run: Run) -> None:
    table = pq.read_table(run.orders)
    order = np.random.default_rng(1).permutation(len(table))
    pq.write_table(reprice(table.take(pa.array(order)), RULES, **run.asked()), run.target)


def with_polars(run: Run) -> None:
    import polars as pl

    reprice(pl.read_parquet(run.orders), RULES, **run.asked()).write_parquet(run.target)


def with_duckdb(run: Run) -> None:
    import duckdb

    reprice(duckdb.connect().read_parquet(str(run.orders)), RULES, **run.asked()).write_parquet(
        str(run.target)
    )


def with_dask(run: Run) -> None:
    import dask.dataframe as dd

    orders = dd.read_parquet(run.orders, split_row_groups=True)
    reprice(orders, RULES, **run.asked()).to_parquet(run.target, write_index=False)


def with_spark(run: Run) -> None:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "4g").config("spark.sql.shuffle.partitions", 8)
    spark = builder.getOrCreate()
    reprice(spark.read.parquet(str(run.orders)), RULES, **run.asked()).write.parquet(str(run.target))
    spark.stop()


STREAM, SINGLE = "reprice_parquet", "the same, one rule"
CONTENDERS: dict[str, Callable[[Run], None]] = {
    STREAM: with_the_stream,
    "the same, one core": with_one_core,
    "PyArrow": with_pyarrow,
    "PyArrow, rows scattered": with_scattered_rows,
    "Polars": with_polars,
    "DuckDB": with_duckdb,
    "Dask": with_dask,
    "Spark": with_spark,
    SINGLE: with_one_rule,
    "DuckDB script, one rule": with_a_duckdb_script,
    "Polars script, one rule": with_a_polars_script,
}
PACKAGES = {"Polars": "polars", "DuckDB": "duckdb", "Dask": "dask", "Spark": "pyspark"}


# ---------------------------------------------------------------- measuring


class Taken(NamedTuple):
    """Seconds, seconds of CPU and peak bytes of a contender."""

    seconds: float
    cpu: float
    memory: int


def taken(command: list[str]) -> Taken:
    """Run a command to its end.

    Raises:
        CalledProcessError: the command failed.
    """
    start, before, highest = perf_counter(), cpu_of_children(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            highest = max(highest, sum(map(resident, family(process.pid))))
            sleep(0.1)
        seconds = perf_counter() - start
        said = process.stderr.read() if process.stderr else ""
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=said)
    return Taken(seconds, cpu_of_children() - before, highest)


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family(process: int) -> list[int]:
    """Return the ids of a process and of all its descendants."""
    parents = {own: parent for own, parent in map(parent_of, Path("/proc").glob("[0-9]*/stat")) if own}
    found = [process]
    for own in found:
        found += [child for child, parent in parents.items() if parent == own]
    return found


def parent_of(file: Path) -> tuple[int, int]:
    try:
        own, _, rest = file.read_text().partition(" (")
    except OSError:  # the process has ended
        return 0, 0
    return int(own), int(rest.rpartition(") ")[2].split()[1])


def resident(process: int) -> int:
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


# ---------------------------------------------------------------- comparing


def difference(expected: Path, found: Path) -> str:
    """Return the differences between the rows of two results; empty if they are equal."""
    wanted, own = figures(expected), figures(found)
    if len(wanted) != len(own):
        return f"{len(own):,} rows, expected {len(wanted):,}"
    pairs = {name: (wanted[name], own[name].cast(wanted[name].type)) for name in own.column_names}
    wrong = [name for name, (one, other) in pairs.items() if not one.equals(other)]
    return f"other values in {', '.join(wrong)}" if wrong else ""


def figures(result: Path) -> pa.Table:
    """Return order, line and all figures, sorted by order and line."""
    table = pq.read_table(result, columns=["number", "line"]).combine_chunks()
    names = [name for name in pq.read_schema(next(files_of(result))).names if name.startswith("new_")]
    place = pa.array(np.argsort(table["number"].to_numpy() * (MOST_LINES + 1) + table["line"].to_numpy()))
    return pq.read_table(result, columns=["number", "line", *names]).combine_chunks().take(place)


def files_of(result: Path) -> Iterator[Path]:
    yield from sorted(result.glob("*.parquet")) if result.is_dir() else [result]


# ---------------------------------------------------------------- printing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--rounds", type=int, default=1)
    ids = ["checkout", "number"]
    parser.add_argument("--by", default=ids[0], choices=ids, help="ids of text, or ints")
    parser.add_argument("--only", nargs="*", default=[*CONTENDERS], choices=[*CONTENDERS])
    parser.add_argument(
        "--spark", default=sys.executable, help="the Python that has PySpark (and PYTHONPATH=src)"
    )
    parser.add_argument("--run", nargs=3, metavar=("CONTENDER", "ORDERS", "TARGET"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        name, orders, target = options.run
        CONTENDERS[name](Run(Path(orders), Path(target), options.by))
        return
    with TemporaryDirectory() as folder:
        compare(Path(folder), options)


def compare(folder: Path, options: argparse.Namespace) -> None:
    """Measure in turn, round by round; print medians, and ratios to the stream within the same round."""
    orders = folder / "orders.parquet"
    lines = write_orders(orders, options.lines)
    print(f"{lines:,} lines, {orders.stat().st_size / 1e6:,.0f} MB of Parquet, by {options.by}")
    names = dict.fromkeys([*map(reference_of, options.only), *options.only])
    rounds: list[dict[str, Taken]] = []
    for _ in range(options.rounds):
        rounds.append({})
        for name in names:
            python = options.spark if name == "Spark" else sys.executable
            if python == sys.executable and name in PACKAGES and not find_spec(PACKAGES[name]):
                print(f"{name} is not installed")
                continue
            module = ["-m", "benchmarks.reprice_orders", "--by", options.by, "--run", name]
            target = folder / f"{name}.parquet"
            rounds[-1][name] = taken([python, *module, str(orders), str(target)])
            wrong = difference(folder / f"{reference_of(name)}.parquet", target)
            if wrong:
                print(f"{name}: {wrong}")
            if name != reference_of(name):
                shutil.rmtree(target) if target.is_dir() else target.unlink()
    print(f"{'':26}{'s':>8}{'ratio':>7}{'CPU s':>8}{'ratio':>7}{'peak MB':>9}")
    for name in rounds[0]:
        print_medians(name, rounds)


def reference_of(name: str) -> str:
    return SINGLE if name.endswith("one rule") else STREAM


def print_medians(name: str, rounds: list[dict[str, Taken]]) -> None:
    pairs = [(taken[name], taken[reference_of(name)]) for taken in rounds]
    seconds, cpu = median(own.seconds for own, _ in pairs), median(own.cpu for own, _ in pairs)
    ratio = median(own.seconds / stream.seconds for own, stream in pairs)
    cpu_ratio = median(own.cpu / stream.cpu for own, stream in pairs)
    memory = median(own.memory for own, _ in pairs)
    print(f"{name:26}{seconds:8.1f}{ratio:6.2f}x{cpu:8.1f}{cpu_ratio:6.2f}x{memory / 1e6:9,.0f}")


if __name__ == "__main__":
    main()
