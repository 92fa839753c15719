"""Line columns for examples, with their pricing rules."""

from typing import Any

import numpy as np
import numpy.typing as npt

from faregate.batch.basket.lines import LineColumns
from faregate.batch.discounts.automatic import NO_DISCOUNT
from faregate.batch.discounts.codes import CodeResults
from faregate.batch.totals.figures import LineTotals
from faregate.batch.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    FixedPrice,
    Percentage,
    PromoCode,
    Scope,
)
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import checkout_totals as price_one

Column = npt.NDArray[Any]


def ints(*values: int) -> npt.NDArray[np.int64]:
    """Return an int64 column."""
    return np.array(values, np.int64)


def instants(*texts: str) -> npt.NDArray[np.datetime64]:
    """Return a column of instants in UTC."""
    return np.array(texts, "datetime64[us]")


def days(*texts: str) -> npt.NDArray[np.datetime64]:
    """Return a column of dates."""
    return np.array(texts, "datetime64[D]")


def when(**conditions: Any) -> PromoCode:
    """Return a code for 1.00 off under these conditions."""
    return PromoCode(code="WHEN", kind=Absolute(100), conditions=Conditions(**conditions))


def where(**scope: Any) -> PromoCode:
    """Return a code for 1.00 off lines in this scope."""
    return PromoCode(code="WHERE", kind=Absolute(100), scope=Scope(**scope))


def columns(*sizes: int, **changed: Any) -> LineColumns:
    """Return baskets with *sizes* lines, one unit each at 10.00 and 8.1 % unless changed."""
    count = sum(sizes)
    given: dict[str, Any] = {
        "offsets": np.cumsum([0, *sizes]),
        "unit_price": np.full(count, 1000),
        "quantity": np.ones(count, np.int64),
        "rate": np.full(count, 81_000),
    }
    return LineColumns(**(given | changed))


def like_north_star(*sizes: int) -> LineColumns:
    """Return baskets of 1 to 4 units at two rates, as in ``golden/test_reference_cart.py``."""
    places = np.concatenate([np.arange(size) for size in sizes]) if sizes else ints()
    return columns(
        *sizes,
        unit_price=1250 + 375 * (places % 7) + places,
        quantity=1 + places % 4,
        rate=np.where(places % 2 == 0, 81_000, 26_000),
        product=places % 3,
    )


def in_a_bucket(flat: LineColumns) -> LineColumns:
    """Return the same baskets, all of one size, as matrices."""
    return flat.part(np.arange(flat.lines).reshape(flat.baskets, -1).T, None)


NORTH_STAR: dict[str, Any] = {
    "automatic": [AutomaticDiscount(id=1, kind=Absolute(500), scope=Scope(lines=frozenset({0, 1})))],
    "promo_codes": [PromoCode(code="TEN", kind=Percentage.percent(10))],
}
MANY_RULES: dict[str, Any] = {
    "automatic": [
        AutomaticDiscount(id=1, kind=Absolute(500), scope=Scope(products=frozenset({1}))),
        AutomaticDiscount(id=2, kind=BuyXGetY(2, 1), scope=Scope(products=frozenset({2}))),
    ],
    "promo_codes": [
        PromoCode(code="TEN", kind=Percentage.percent(10)),
        PromoCode(code="THREE", kind=FixedPrice(4500, 3), scope=Scope(products=frozenset({0}))),
        PromoCode(code="OFF", kind=Absolute(777)),
    ],
}

LINE_FIGURES = tuple(name for name in LineTotals._fields if name != "auto_discount")
FIGURES = tuple(name for name in CheckoutTotals._fields if name not in {"lines", "promo_codes", "vouchers"})


def figures_of(totals: CheckoutTotals, index: int) -> dict[str, int]:
    """Return the figures of one checkout in the columns."""
    return {name: int(getattr(totals, name)[index]) for name in FIGURES}


def assert_is_the_scalar(totals: CheckoutTotals, lines: LineColumns, index: int, **rules: Any) -> None:
    """Compare every figure of one checkout, its lines and its codes with the scalar function."""
    one = price_one(lines.basket(index), **rules)
    own = lines.index_of(index)
    places = {discount.id: place for place, discount in enumerate(rules.get("automatic", ()))}
    assert figures_of(totals, index) == {name: getattr(one, name) for name in FIGURES}
    assert [getattr(totals.lines, name)[own].tolist() for name in LINE_FIGURES] == [
        [getattr(row, name) for row in one.lines] for name in LINE_FIGURES
    ]
    assert totals.lines.auto_discount[own].tolist() == [
        NO_DISCOUNT if row.auto_discount is None else places[row.auto_discount.id] for row in one.lines
    ]
    assert codes_of(totals.promo_codes, index) == [
        (code.total_amount, code.unapplied, None) if isinstance(code, AppliedCode) else (0, 0, code.reason)
        for code in one.promo_codes
    ]


def assert_priced_as_the_scalar(lines: LineColumns, **rules: Any) -> None:
    """Compare every basket of *lines* with the scalar function; also as matrices if they have one size."""
    assert lines.offsets is not None
    has_one_size = len(set(np.diff(lines.offsets).tolist())) == 1
    for own in (lines, in_a_bucket(lines)) if has_one_size else (lines,):
        totals = checkout_totals(own, **rules)
        for index in range(own.baskets):
            assert_is_the_scalar(totals, own, index, **rules)


def codes_of(results: CodeResults, index: int) -> list[tuple[int, int, RejectionReason | None]]:
    """Return amount, rest and reason of each code entered in one basket."""
    entries = results.entered.index_of(index)
    return [
        (int(results.amounts[entry]), int(results.unapplied[entry]), results.reason(entry))
        for entry in range(entries.start, entries.stop)
    ]
