"""Cost of faregate by input size, as a chart and a table: ``python -m benchmarks.growth``.

Writes ``docs/growth.svg`` and the table of ``docs/benchmarks.md``. Sizes take turns, as in
``benchmarks.compare``; a figure is that of the fastest round. With ``--draw`` nothing is measured: the
figures are read from the table, and equal figures give equal bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks import north_star
from benchmarks.compare import interleaved
from benchmarks.comparison.batch_workload import CODE, MOST_LINES, workload
from benchmarks.price_distributions import PERCENTS, prices
from benchmarks.validity_calendars import LENGTHS, places
from faregate.batch.basket.lines import LineColumns
from faregate.batch.insights.distribution import quantiles
from faregate.batch.totals.pipeline import checkout_totals
from faregate.batch.validity.windows import window_extremes
from faregate.subscriptions.rules import EveryDays
from faregate.subscriptions.schedule import renewal_date

DOCS = Path(__file__).parents[1] / "docs"
PICTURE, PAGE = DOCS / "growth.svg", DOCS / "benchmarks.md"
BEGIN, END = "<!-- growth: begin -->", "<!-- growth: end -->"
GREY = "#7d8590"
"""Legible on white and on black, like the colours below."""


class Curve(NamedTuple):
    name: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Callable[[], object]]
    color: str
    marker: str


def checkout(lines: int) -> Callable[[], object]:
    return partial(north_star.resolved, north_star.faregate_lines(lines))


def batch(lines: int) -> Callable[[], object]:
    carts = workload(2 * lines // (MOST_LINES + 1))
    given = LineColumns(
        offsets=carts.offsets, unit_price=carts.unit_price, quantity=carts.quantity, rate=carts.rate
    )
    return partial(checkout_totals, given, promo_codes=[CODE])


def distribution(rows: int) -> Callable[[], object]:
    return partial(quantiles, prices(rows), PERCENTS)


def renewal(index: int) -> Callable[[], object]:
    return partial(renewal_date, EveryDays(1), anchor=date(2025, 1, 31), index=index)


def windows(products: int) -> Callable[[], object]:
    return partial(window_extremes, places()[:, :products].copy(), LENGTHS)


def powers(first: int, last: int) -> tuple[int, ...]:
    return tuple(10**exponent for exponent in range(first, last + 1))


CURVES = (
    Curve("one checkout, by lines", powers(0, 3), checkout, "#3b82d0", "o"),
    Curve("many checkouts at once, by lines in all", powers(2, 7), batch, "#d9730d", "s"),
    Curve("six quantiles, by prices", powers(3, 7), distribution, "#2f9e62", "^"),
    Curve("a renewal date, by its index", powers(0, 6), renewal, "#b04fc0", "D"),
    Curve("windows of a season, by products", powers(0, 3), windows, "#c9384a", "v"),
)

Figures = dict[str, dict[int, float]]
"""Seconds per call, by curve and size."""

# ---------------------------------------------------------------- measuring


def measured(rounds: int) -> Figures:
    figures: Figures = {}
    for curve in CURVES:
        seconds = interleaved([curve.prepare(size) for size in curve.sizes], rounds)
        figures[curve.name] = dict(zip(curve.sizes, map(min, seconds), strict=True))
    return figures


# ---------------------------------------------------------------- the table


def table(figures: Figures) -> str:
    """Return a row per curve: microseconds per call at each power of ten."""
    sizes = sorted({size for own in figures.values() for size in own})
    head = ["µs of a call", *(f"{size:,}" for size in sizes), "×10 costs"]
    rows = [[name, *(shown(own.get(size)) for size in sizes), growth(own)] for name, own in figures.items()]
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def shown(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds * 1e6:,.{2 if seconds < 1e-5 else 0}f}"


def growth(own: dict[int, float]) -> str:
    """Return the cost of the last tenfold increase, as a ratio to the size before."""
    *_, former, last = own.values()
    return f"{last / former:.1f}x"


def read_table(page: str) -> Figures:
    """Return the figures shown in the table."""
    lines = page.partition(BEGIN)[2].partition(END)[0].strip().splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    sizes = [int(cell.replace(",", "")) for cell in head[1:-1]]
    return {
        row[0]: {
            size: float(cell.replace(",", "")) / 1e6
            for size, cell in zip(sizes, row[1:-1], strict=True)
            if cell
        }
        for row in rows
    }


def with_table(page: str, figures: Figures) -> str:
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table(figures)}\n{END}{rest.partition(END)[2]}"


# ---------------------------------------------------------------- the picture

LOOK: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "faregate",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": GREY,
    "axes.edgecolor": GREY,
    "axes.labelcolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
}


def draw(figures: Figures, path: Path) -> None:
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(7.2, 4.2), layout="constrained")
        axes = figure.subplots()
        for curve in CURVES:
            own = figures[curve.name]
            axes.plot(
                [*own],
                [*own.values()],
                color=curve.color,
                marker=curve.marker,
                ms=4,
                lw=1.5,
                label=curve.name,
            )
        frame(axes)
        figure.savefig(path, format="svg", transparent=True, metadata={"Date": None, "Creator": None})


def frame(axes: Axes) -> None:
    axes.set(xscale="log", yscale="log", xlabel="size", ylabel="time of a call")
    axes.set_yticks(
        [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1], ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]
    )
    axes.minorticks_off()
    axes.grid(color=GREY, alpha=0.25, lw=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left")


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--draw", action="store_true", help="draw the table that is there")
    options = parser.parse_args(None if arguments is None else list(arguments))
    page = PAGE.read_text(encoding="utf-8")
    if not options.draw:
        page = with_table(page, measured(options.rounds))
        PAGE.write_text(page, encoding="utf-8")
    draw(read_table(page), PICTURE)


if __name__ == "__main__":
    main()
