"""Past orders under another rule set: the same cents on any engine as in a checkout. Decisions §3–§6."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from faregate.discounts.pricing_rules import PricingRules
from faregate.frames.orders.codes import ranked
from faregate.frames.orders.engines import priced_frame, unknown_in_frame
from faregate.frames.orders.fields import Figures, Lines, OrderReading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from faregate.money.currency import Currency
    from faregate.money.rounding import RoundingMode

Native = TypeVar("Native")

_NO_RULES = PricingRules()


def reprice(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    orders: Native,
    rules: PricingRules,
    *,
    by: str = "checkout",
    prefix: str = "",
    columns: Mapping[str, str | None] | None = None,
    lines: Lines = Lines.SCATTERED,
    currency: Currency | str | None = None,
    rounding: RoundingMode | None = None,
    zone: str | None = None,
) -> Native:
    """What the lines of past orders cost under *rules*: the frame with the figures of each after its columns.

    A row is a line, and lines of one id in the column *by* (texts, ints, dates …) are one checkout. Rows stay
    in their order, but with Dask and Spark, which bring scattered lines together. The figures are
    ``list_price_gross``, ``list_price_net``, ``auto_discount`` (the id of the one that takes most, or null),
    ``auto_discount_amount``, ``promo_code_discount``, ``total_discount_gross``, ``total_discount_net``,
    ``total_gross`` and ``total_net``: int64 minor units, their names after *prefix*.

    Columns of a line:

    - ``unit_price``, and ``floor_price`` (null: 0) if there is one: ints of minor units, or decimals or texts
      of a *currency*;
    - ``quantity``: ints of at least 1; ``rate``: ints are parts per million, decimals and texts percent;
    - ``key``, if there is one: ints that break ties, each once in a checkout; without it the order of the
      rows does. Dask and Spark need it, unless lines are together;
    - ``discountable`` and ``counted`` (null: true), if there are such;
    - where the rules look at them ``product``, ``variant``, ``category``, ``discount_card`` (ints or null),
      ``first_day`` (dates or null) and, of an attribute such as ``age``, ``attribute.age`` (texts or null).

    Columns of a checkout, of the same value in all of its rows:

    - ``codes``: texts with blanks or commas between codes, or lists of texts; codes that the rules do not
      know take nothing: ``unknown_codes`` says which. Without the column no code was entered;
    - where the rules look at them ``ordered_at`` (instants of a zone or in UTC), ``ordered_on`` (the local
      date; or name the *zone*), ``channel`` (texts) and ``account`` (ints or null).

    Columns that are called otherwise are named by *columns*, as in ``{"unit_price": "price_cents"}``; None
    leaves the column of that name alone. A *rounding* is for amounts with more decimals than the *currency*,
    and binary fractions always need one. The merchant's *zone*, as IANA names it, tells the local date of
    ``ordered_at``, where there is no ``ordered_on``. DuckDB's rows pass through memory; Polars' lazy
    frames, Dask and Spark are priced when they are asked for rows, Spark as a stream for each partition. With
    ``Lines.TOGETHER`` nothing is sorted or shuffled; in Dask and Spark a partition then has whole checkouts.

    >>> import pandas as pd
    >>> from faregate import Percentage, PromoCode
    >>> orders = pd.DataFrame({
    ...     "checkout": ["a", "b", "a"], "unit_price": [7900, 4900, 1250], "quantity": [2, 1, 1],
    ...     "rate": ["8.1", "8.1", "2.6"], "codes": ["TEN", "", "TEN"],
    ... })
    >>> ten = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
    >>> reprice(orders, ten)[["checkout", "promo_code_discount", "total_gross", "total_net"]]
      checkout  promo_code_discount  total_gross  total_net
    0        a                 1580        14220      13154
    1        b                    0         4900       4533
    2        a                  125         1125       1096

    What a worker of Spark raises comes as a ``PythonException`` with its message.

    Raises:
        InvalidInput: no frame; columns that are missing, of types that cannot be read, or called as a result
            is; or lines should be together, and a checkout comes again.
        InvalidLines: values are at fault, all columns and their first rows together; with Dask and Spark
            those of a partition, named by their checkout.
        InvalidAmount: figures that do not fit 64 bits.
        InvalidDiscount: *rules* have a code or an id twice.
        UnknownCurrency: *currency* is none.
        InvalidOption: *lines* or *rounding* is none of its options.
    """
    reading = OrderReading(columns or {}, lines, currency, rounding, zone)
    repriced: Native = priced_frame(
        orders, rules, by=by, figures=Figures.LINES, prefix=prefix, reading=reading
    )
    return repriced


def totals(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    frame: Native,
    *,
    by: str = "checkout",
    rules: PricingRules = _NO_RULES,
    prefix: str = "",
    columns: Mapping[str, str | None] | None = None,
    lines: Lines = Lines.SCATTERED,
    currency: Currency | str | None = None,
    rounding: RoundingMode | None = None,
    zone: str | None = None,
) -> Native:
    """What checkouts cost: a row for each, in the order of their first lines.

    After the column *by* the figures, int64 minor units: ``list_price_gross``, ``list_price_net``,
    ``promo_code_discount``, ``auto_discount_amount``, ``total_discount_gross``, ``total_discount_net``,
    ``total_subscription_gross``, ``total_subscription_net``, ``donation``, ``total_gross`` and
    ``total_net``. The frame is read as by ``reprice``, and columns that only these figures depend on, if
    there are such: ``donation`` (an amount, null: 0) of a checkout, ``is_subscription`` (null: false) and
    ``recurring_price`` (an amount, null: as the unit price) of a line. Dask and Spark give the rows in no
    order.

    >>> import pyarrow as pa
    >>> lines = pa.table({
    ...     "checkout": [7, 8, 7], "unit_price": [7900, 4900, 1250], "quantity": [2, 1, 1],
    ...     "rate": [81_000, 81_000, 26_000],
    ... })
    >>> totals(lines).select(["checkout", "total_gross", "total_net"]).to_pydict()
    {'checkout': [7, 8], 'total_gross': [17050, 4900], 'total_net': [15834, 4533]}

    Raises:
        InvalidInput, InvalidLines, InvalidAmount, InvalidDiscount, UnknownCurrency, InvalidOption: as
            ``reprice``.
    """
    reading = OrderReading(columns or {}, lines, currency, rounding, zone)
    checkouts: Native = priced_frame(
        frame, rules, by=by, figures=Figures.CHECKOUTS, prefix=prefix, reading=reading
    )
    return checkouts


def unknown_codes(
    orders: object,
    rules: PricingRules,
    *,
    by: str = "checkout",
    columns: Mapping[str, str | None] | None = None,
) -> dict[str, int]:
    """In how many checkouts each code was entered that *rules* do not know, those of most checkouts first.

    Such codes take nothing in ``reprice`` and ``totals``. The frame is read as there, but of its columns only
    *by* and the codes; the codes of a checkout are those of its first row.

    >>> import pyarrow as pa
    >>> orders = pa.table({"checkout": ["a", "b", "c"], "codes": ["OLD", "", "old NEW"]})
    >>> unknown_codes(orders, PricingRules())
    {'OLD': 2, 'NEW': 1}

    Raises:
        InvalidInput: no frame, columns that are missing or of types that cannot be read, or null as an id.
    """
    return ranked(unknown_in_frame(orders, rules, by=by, columns=columns or {}))
