"""Calendars of a season side by side: ``python -m benchmarks.validity_calendars``.

Windows: free units on 365 days, and the minimum and maximum of every window of ten lengths; for a batch of a
thousand products, and one product at a time. A season: see ``benchmarks.season_calendars``. Every result is
compared with an exact one in Python ints before timing. Contenders take turns, as in ``benchmarks.compare``.
One product at a time means a different one each time: bottleneck branches on the values, and takes a third of
the time on values that the processor's branch predictor has learned.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from typing import Any

import bottleneck
import numpy as np
import numpy.typing as npt
from scipy import ndimage

from benchmarks.compare import Table, compared, interleaved
from benchmarks.season_calendars import DAYS, DURATIONS, SEASONS, VARIANTS, check_season
from faregate.batch.validity.windows import window_extremes

BATCH = 1000
SINGLES = 50
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 10, 14, 21)
WINDOWS = f"least and greatest of {DAYS} days x {len(LENGTHS)} lengths"

Array = npt.NDArray[Any]
Windows = list[tuple[list[Any], list[Any]]]
"""Minima and maxima of the windows that fit, per length, as nested lists of days and products."""


# ---------------------------------------------------------------- windows: the workload


@cache
def places() -> npt.NDArray[np.int32]:
    """Return free units: int32 ``[days, products]``."""
    return np.random.default_rng(365).integers(0, 500, (DAYS, BATCH), dtype=np.int32)


def exact_windows(values: npt.NDArray[np.int32]) -> Windows:
    """Compute the windows as directly as possible, in Python ints."""
    columns = values.reshape(DAYS, -1).T.tolist()
    answer: Windows = []
    for length in LENGTHS:
        windows = [[own[day : day + length] for own in columns] for day in range(DAYS - length + 1)]
        answer.append(([[*map(min, row)] for row in windows], [[*map(max, row)] for row in windows]))
    return answer


@dataclass(frozen=True, slots=True)
class Windowing:
    """A way to compute every window of ``[days]`` or ``[days, products]``.

    Only ``run`` is timed; its input is made before, its result read after.
    """

    name: str
    given: Callable[[npt.NDArray[np.int32]], Any]
    run: Callable[[Any], Any]
    read: Callable[[Any], Windows]

    def batch(self) -> Callable[[], object]:
        return partial(self.run, self.given(places()))

    def singles(self) -> Callable[[], object]:
        """Return a call for the first products of the batch, one after the other."""
        inputs = [self.given(places()[:, product].copy()) for product in range(SINGLES)]

        def run_each() -> None:
            for own in inputs:
                self.run(own)

        return run_each

    def check(self, values: npt.NDArray[np.int32]) -> None:
        """Raise ValueError unless the result is exact."""
        if self.read(self.run(self.given(values))) != exact_windows(values):
            raise ValueError(f"{self.name}, {values.shape}: not the exact answer")


def by_product(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return ``[products, days]``, contiguous: best for functions along the last axis."""
    return np.ascontiguousarray(values.T)


def as_rows(array: Array) -> list[Any]:
    """Convert ``[days, products]`` of any numbers to lists of ints."""
    rows: list[Any] = array.reshape(len(array), -1).astype(np.int64).tolist()
    return rows


def pairs_of_arrays(pairs: Iterable[tuple[Array, Array]]) -> Windows:
    """Convert ``[products, days]`` of each length."""
    return [(as_rows(least.T), as_rows(greatest.T)) for least, greatest in pairs]


# ---------------------------------------------------------------- windows: contenders


def read_faregate(both: tuple[Array, Array]) -> Windows:
    starts = [DAYS - length + 1 for length in LENGTHS]
    return [
        (as_rows(least[:count]), as_rows(greatest[:count]))
        for count, least, greatest in zip(starts, *both, strict=True)
    ]


def sliding(values: Array) -> list[tuple[Array, Array]]:
    views = [np.lib.stride_tricks.sliding_window_view(values, length, axis=-1) for length in LENGTHS]
    return [(view.min(axis=-1), view.max(axis=-1)) for view in views]


def filtered(values: Array) -> list[tuple[Array, Array]]:
    """Apply centred filters, with their origin moved so that windows begin with the day."""
    pairs = []
    for length in LENGTHS:
        origin, count = -(length // 2), DAYS - length + 1
        least = ndimage.minimum_filter1d(values, length, axis=-1, origin=origin)
        greatest = ndimage.maximum_filter1d(values, length, axis=-1, origin=origin)
        pairs.append((least[..., :count], greatest[..., :count]))
    return pairs


def moving(values: Array) -> list[tuple[Array, Array]]:
    return [
        (
            bottleneck.move_min(values, length, axis=-1)[..., length - 1 :],
            bottleneck.move_max(values, length, axis=-1)[..., length - 1 :],
        )
        for length in LENGTHS
    ]


def rolling(frame: Any) -> list[tuple[Any, Any]]:
    windows = [frame.rolling(length) for length in LENGTHS]
    return [(window.min(), window.max()) for window in windows]


def rolling_columns(frame: Any) -> list[tuple[Any, Any]]:
    """Query every column on all cores; a single column in one query, which avoids nineteen others."""
    polars = importlib.import_module("polars")
    every = polars.all()
    if frame.width > 1:
        return [
            (frame.select(every.rolling_min(own)), frame.select(every.rolling_max(own))) for own in LENGTHS
        ]
    both = [(every.rolling_min(own), every.rolling_max(own)) for own in LENGTHS]
    named = [
        own.alias(str(place)) for place, own in enumerate(expression for pair in both for expression in pair)
    ]
    found = frame.select(named).get_columns()
    return list(zip(found[::2], found[1::2], strict=True))


def columns_frame(values: npt.NDArray[np.int32]) -> Any:
    polars = importlib.import_module("polars")
    return polars.DataFrame(values.reshape(DAYS, -1))


def frame_of(values: npt.NDArray[np.int32]) -> Any:
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame(values) if values.ndim == 2 else pandas.Series(values)


def read_rolling(pairs: list[tuple[Any, Any]]) -> Windows:
    return [
        (as_rows(least.to_numpy()[length - 1 :]), as_rows(greatest.to_numpy()[length - 1 :]))
        for length, (least, greatest) in zip(LENGTHS, pairs, strict=True)
    ]


def plain(columns: list[list[int]]) -> list[list[tuple[list[int], list[int]]]]:
    """Use faregate's chain of lengths in lists: the fastest plain Python that we found."""
    return [_plain(column) for column in columns]


def _plain(values: list[int]) -> list[tuple[list[int], list[int]]]:
    least = greatest = values
    reach, pairs = 1, []
    for length in LENGTHS:  # each at most twice the previous one
        shift = length - reach
        least, greatest = list(map(min, least, least[shift:])), list(map(max, greatest, greatest[shift:]))
        reach = length
        pairs.append((least, greatest))
    return pairs


def columns_of(values: npt.NDArray[np.int32]) -> list[list[int]]:
    columns: list[list[int]] = values.reshape(DAYS, -1).T.tolist()
    return columns


def read_plain(products: list[list[tuple[list[int], list[int]]]]) -> Windows:
    return pairs_of_arrays(
        (np.array([own[index][0] for own in products]), np.array([own[index][1] for own in products]))
        for index in range(len(LENGTHS))
    )


FAREGATE = Windowing("faregate", lambda days: days, lambda own: window_extremes(own, LENGTHS), read_faregate)
PEERS = [
    Windowing("bottleneck", by_product, moving, pairs_of_arrays),
    Windowing("scipy filters", by_product, filtered, pairs_of_arrays),
    Windowing("numpy sliding_window_view", by_product, sliding, pairs_of_arrays),
    Windowing("plain Python", columns_of, plain, read_plain),
]
if importlib.util.find_spec("pandas"):
    PEERS.append(Windowing("pandas rolling", frame_of, rolling, read_rolling))
if importlib.util.find_spec("polars"):
    PEERS.append(Windowing("polars rolling, all cores", columns_frame, rolling_columns, read_rolling))
WINDOWINGS = [FAREGATE, *PEERS]


# ---------------------------------------------------------------- printing


def single_table(rounds: int) -> Table:
    for contender in WINDOWINGS:
        contender.check(places()[:, 0].copy())
    calls = {contender.name: contender.singles() for contender in WINDOWINGS}
    return measured(f"One product at a time, {WINDOWS}", calls, rounds, years=SINGLES)


def batch_table(rounds: int) -> Table:
    for contender in WINDOWINGS:
        contender.check(places())
    calls = {contender.name: contender.batch() for contender in WINDOWINGS}
    return measured(f"{BATCH} products at once, {WINDOWS}", calls, rounds, years=BATCH)


def season_table(rounds: int) -> Table:
    check_season()
    title = f"A season, {DAYS} days x {VARIANTS} variants x {len(DURATIONS)} durations"
    return measured(title, {name: prepare() for name, prepare in SEASONS.items()}, rounds)


def measured(title: str, calls: dict[str, Callable[[], object]], rounds: int, *, years: int = 1) -> Table:
    """Compare with the first of *calls*, each of which covers *years* years of a product."""
    times = compared(interleaved([*calls.values()], rounds), 0)
    rows = [
        [name, f"{own.seconds * 1e6 / years:,.1f}", f"{own.ratio:.1f}x"]
        for name, own in zip(calls, times, strict=True)
    ]
    return Table(title, ["", "µs per product-year", "to faregate"], rows)


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validity_calendars", description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="rounds of every comparison")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(None if arguments is None else list(arguments))
    tables = [
        single_table(options.rounds),
        batch_table(max(3, options.rounds // 3)),
        season_table(options.rounds),
    ]
    print(", ".join(f"{name} {version(name)}" for name in ("faregate", "numpy", "bottleneck", "scipy")))
    for table in tables:
        print(f"\n{table.markdown() if options.markdown else table.plain()}")


if __name__ == "__main__":
    main()
