"""Draw the results of faregate in one picture: ``python examples/overview.py docs/overview.svg``.

It shows a basket with its reasons, the days of a winter with their prices, and a price in its distribution.
"""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

from faregate import (
    Duration,
    Line,
    Percentage,
    PriceDistribution,
    PromoCode,
    ValidityQuery,
    VatRate,
    Voucher,
    checkout_totals,
    explain,
    price_insight,
    validity_options,
)
from faregate.files import demo_catalogue
from faregate.money.amounts import format_minor_units
from faregate.money.currency import currency
from faregate.plot import price_calendar, price_distribution
from faregate.render import receipt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from faregate import ValidityOption
    from faregate.explanations.explanation import Explanation

FRANCS = currency("CHF")
LOOK: dict[Any, Any] = {
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",
    "svg.fonttype": "none",
    "svg.hashsalt": "faregate",
}


def basket() -> Explanation:
    """Return two day tickets and a lunch, less 10 %, partly paid with a voucher."""
    totals = checkout_totals(
        [
            Line(key=1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1")),
            Line(key=2, unit_price=1250, quantity=1, rate=VatRate.percent("2.6")),
        ],
        promo_codes=[PromoCode(code="WINTER10", kind=Percentage.percent(10))],
        vouchers=[Voucher(code="GIFT", balance=5000)],
        donation=200,
    )
    return explain(totals, currency=FRANCS)


def bill(why: Explanation) -> Iterator[str]:
    """Yield the receipt, and the steps of one of its figures."""
    yield receipt(why, currency=FRANCS, labels={1: "Day ticket", 2: "Lunch"}).text(width=46)
    yield "\nThe net of the day tickets:"
    for step in why.trace.of("total_net", line=1):
        yield f"{step.rule.value:>12}  {step.source:<18}{format_minor_units(step.amount, FRANCS):>14}"


def winter() -> tuple[ValidityOption, ...]:
    """Return day tickets of the demo resort from December to April, as of 1 December."""
    query = ValidityQuery(
        15, date(2026, 12, 1), date(2027, 4, 15), durations=(Duration(days=1),), variants=(151,), limit=366
    )
    now = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
    return validity_options(query, catalogue=demo_catalogue(), capacity={}, now=now).options


def draw_basket(ax: Axes) -> None:
    """Draw the bill as text."""
    ax.axis("off")
    ax.set_title("What a basket costs, and why", loc="left", fontsize=12, weight="bold")
    letters = "\n".join(bill(basket())).replace(" ", "\N{NO-BREAK SPACE}")
    ax.text(0, 0.98, letters, family="DejaVu Sans Mono", fontsize=9, linespacing=1.6, va="top")


def draw(path: str) -> None:
    """Draw the three parts side by side to a file."""
    days = winter()
    prices = PriceDistribution.from_prices([day.price.min for day in days])
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(11, 5.2), layout="constrained")
        axes = figure.subplot_mosaic([["basket", "calendar"], ["basket", "prices"]], width_ratios=(1, 1.5))
        draw_basket(axes["basket"])
        price_calendar(
            days, currency=FRANCS, ax=axes["calendar"], title="Which days can be booked, at what price"
        )
        price_distribution(
            prices,
            currency=FRANCS,
            insight=price_insight(prices, 7900),
            ax=axes["prices"],
            title="Where a price stands among them",
        )
        figure.savefig(path, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    draw(sys.argv[1])
