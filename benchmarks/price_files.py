"""A hundred million prices in a Parquet file: ``python -m benchmarks.price_files``.

Each way runs in a process of its own, which measures its time and its peak resident memory. The file, about
200 MB, is written in pieces to a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.progress import Progress, track

from benchmarks.compare import Table

ROWS = 100_000_000
PIECE = 1 << 20
PERCENTS = (5, 25, 50, 75, 95, 99)
SHARES = [percent / 100 for percent in PERCENTS]
CONSOLE = Console(stderr=True)


def write(path: Path, rows: int) -> None:
    """Write log-normal cents as in ``price_distributions``, int32 in row groups of a million."""
    random = np.random.default_rng(9)
    schema = pa.schema([("price", pa.int32())])
    with pq.ParquetWriter(path, schema) as writer:
        for start in track(range(0, rows, PIECE), "writing", console=CONSOLE):
            drawn = np.exp(random.normal(9, 0.6, min(PIECE, rows - start)))
            piece = np.minimum(drawn, 499_999).astype(np.int32)
            writer.write_table(pa.table({"price": piece}, schema=schema))


def pieces(path: str) -> Iterator[npt.NDArray[np.int32]]:
    """Yield the column a row group at a time, with a progress bar."""
    file = pq.ParquetFile(path, memory_map=False, pre_buffer=False)
    with Progress(console=CONSOLE) as progress:
        task = progress.add_task("reading", total=file.metadata.num_rows)
        for batch in file.iter_batches(PIECE, columns=["price"], use_threads=False):
            yield batch.column(0).to_numpy()
            progress.advance(task, batch.num_rows)


def with_faregate(path: str) -> list[float]:
    from faregate.batch.insights.prices import PriceHistogram

    kept = reduce(add, map(PriceHistogram.from_columns, pieces(path)))
    return [float(kept.quantile(percent)) for percent in PERCENTS]


def with_kll(path: str) -> list[float]:
    import datasketches

    sketch = datasketches.kll_ints_sketch(200)
    for piece in pieces(path):
        sketch.update(piece.copy())  # read-only arrays are refused
    return [float(value) for value in sketch.get_quantiles(SHARES)]


def with_frames_over_polars(path: str) -> list[float]:
    import polars as pl

    return of_frame(pl.scan_parquet(path))


def with_frames_over_duckdb(path: str) -> list[float]:
    import duckdb

    return of_frame(duckdb.connect().read_parquet(path))


def of_frame(frame: object) -> list[float]:
    from faregate.frames import distributions

    kept = distributions(frame, price="price")[()]
    return [float(kept.quantile(percent)) for percent in PERCENTS]


def with_polars(path: str) -> list[float]:
    import polars as pl

    wanted = [pl.col("price").quantile(share, "linear").alias(str(share)) for share in SHARES]
    return list(pl.scan_parquet(path).select(wanted).collect(engine="streaming").row(0))


def with_duckdb(path: str) -> list[float]:
    import duckdb

    query = f"SELECT quantile_cont(price, {SHARES}) FROM '{path}'"
    found = duckdb.connect().execute(query).fetchone()
    return list(found[0]) if found else []


def with_numpy(path: str) -> list[float]:
    found: list[float] = np.percentile(pq.read_table(path)["price"].to_numpy(), PERCENTS).tolist()
    return found


def with_pandas(path: str) -> list[float]:
    import pandas as pd

    found: list[float] = pd.read_parquet(path)["price"].quantile(SHARES).tolist()
    return found


WAYS: dict[str, Callable[[str], list[float]]] = {
    "faregate, a million at a time": with_faregate,
    "faregate.frames over duckdb": with_frames_over_duckdb,
    "faregate.frames over polars, lazy": with_frames_over_polars,
    "KLL sketch, a million at a time": with_kll,
    "duckdb quantile_cont": with_duckdb,
    "polars quantile, streaming": with_polars,
    "numpy percentile": with_numpy,
    "pandas quantile": with_pandas,
}


def measured(way: str, path: str) -> dict[str, Any]:
    """Return the result, seconds and peak megabytes of a way in this process."""
    start = perf_counter()
    found = WAYS[way](path)
    seconds = perf_counter() - start
    return {"found": found, "seconds": seconds, "megabytes": peak_megabytes()}


def peak_megabytes() -> float:
    """Return Linux's count for this program alone; getrusage includes the parent process."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def in_a_process(way: str, path: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.price_files", "--way", way, "--file", path]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def table_of(path: str, rows: int) -> Table:
    results = {way: in_a_process(way, path) for way in WAYS}
    right = next(iter(results.values()))["found"]
    cells = []
    for way, own in results.items():
        off = max(abs(one - other) for one, other in zip(own["found"], right, strict=True))
        answer = "the same" if off < 1e-5 else f"off by {off:,.0f} cents"
        cells.append([way, f"{own['seconds']:.1f}", f"{own['megabytes']:,.0f}", answer])
    return Table(f"{rows:,} prices of a Parquet file", ["", "seconds", "peak MB", "answer"], cells)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.price_files", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--way", choices=WAYS, help="in this process only, for a file that is there")
    parser.add_argument("--file")
    options = parser.parse_args(None if arguments is None else list(arguments))
    if options.way:
        print(json.dumps(measured(options.way, options.file)))
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "prices.parquet")
        write(path, options.rows)
        table = table_of(str(path), options.rows)
    print(table.markdown() if options.markdown else table.plain())


if __name__ == "__main__":
    main()
