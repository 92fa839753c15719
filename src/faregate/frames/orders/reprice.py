"""Repricing of past orders under given rules, with the same results as in a checkout. Decisions §3–§6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from faregate.discounts.pricing_rules import PricingRules
from faregate.frames.orders.codes import ranked
from faregate.frames.orders.engines import priced_frame, unknown_in_frame
from faregate.frames.orders.fields import Figures, Lines, OrderReading
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
    ids: Mapping[str, Mapping[str, int]] | None = None,
) -> Native:
    """Reprice past orders under *rules*: return the frame with the figures of each line as new columns.

    A row is a line. Lines with the same id in the column *by* (texts, ints, dates …) form one checkout. Rows
    keep their order, except in Dask and Spark, where scattered lines are brought together. The figures are
    ``list_price_gross``, ``list_price_net``, ``auto_discount`` (id of the discount that takes the most off,
    or null), ``auto_discount_amount``, ``promo_code_discount``, ``total_discount_gross``,
    ``total_discount_net``, ``total_gross`` and ``total_net``: int64 minor units, their names preceded by
    *prefix*.

    Columns of a line:

    - ``unit_price``, and optionally ``floor_price`` (null: 0): ints in minor units, or decimals or strings in
      a *currency*;
    - ``quantity``: ints, below 0 for returned units; ``rate`` (VAT): ints in parts per million, or decimals
      or strings in percent;
    - ``key``, optional: ints that break ties, unique within a checkout; by default, the order of the rows
      breaks ties. Dask and Spark need this column unless *lines* is ``Lines.TOGETHER``;
    - ``discountable`` and ``counted``: booleans (null: true), both optional;
    - if the rules need them: ``product``, ``variant``, ``category``, ``discount_card`` (ids or null),
      ``first_day`` (dates or null) and, for an attribute such as ``age``, ``attribute.age`` (texts or null).

    Columns of a checkout, with the same value in all of its rows:

    - ``codes``: strings with spaces or commas between codes, or lists of strings. Without this column, no
      code was entered. Codes that the rules do not define have no effect; ``unknown_codes`` lists them;
    - if the rules need them: ``ordered_at`` (instants, in UTC if they have no zone), ``ordered_on`` (the
      local date; or pass the *zone*), ``channel`` (texts), ``account`` (ids or null) and
      ``customer_group`` (texts or null).

    Ids are ints or their decimal strings. For other strings, such as SKUs, pass *ids*, as in
    ``{"product": {"DAY": 11}}``; no rule selects a string that is not listed there. The returned units of a
    checkout are priced apart from those sold, as a checkout of their own, and all of their figures are
    negated.

    *columns* maps fields to columns with other names, as in ``{"unit_price": "price_cents"}``; a field
    mapped to None is not read. Amounts with more decimals than the *currency* need a *rounding*, and binary
    fractions always do. If the ``ordered_on`` column is missing, the merchant's *zone*, an IANA name, gives
    the local date of ``ordered_at``. DuckDB relations are read into memory. Lazy frames of Polars, Dask and
    Spark are priced when rows are requested, in Spark each partition as a stream. With ``Lines.TOGETHER``,
    nothing is sorted or shuffled; every partition of Dask and Spark must then hold whole checkouts. Checkouts
    with units for every part of a ``Bundle``, or for a ``BuyXGetY`` with ``spread``, are priced one at a
    time, which takes longer.

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

    An error in a Spark worker is raised as a ``PythonException`` with the same message.

    Raises:
        InvalidInput: *orders* is not a frame; columns are missing, unreadable or named like a result; or
            lines of a checkout must be adjacent, but are not.
        InvalidLines: values are faulty; the error lists all such columns and their first faulty rows. In Dask
            and Spark, it covers only one partition and identifies rows by checkout.
        InvalidAmount: figures do not fit into 64 bits.
        InvalidDiscount: *rules* contain the same code or id twice.
        UnknownCurrency: *currency* is unknown.
        InvalidOption: *lines* or *rounding* is not a valid option.
    """
    reading = OrderReading(columns or {}, lines, currency, rounding, zone, ids or {})
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
    ids: Mapping[str, Mapping[str, int]] | None = None,
) -> Native:
    """Return the totals of checkouts, one row per checkout, in the order of their first lines.

    The column *by* is followed by the figures, int64 minor units: ``list_price_gross``, ``list_price_net``,
    ``promo_code_discount``, ``auto_discount_amount``, ``total_discount_gross``, ``total_discount_net``,
    ``total_subscription_gross``, ``total_subscription_net``, ``donation``, ``total_gross`` and ``total_net``.
    The frame is read as in ``reprice``, with further optional columns that affect only these figures:
    ``donation`` (an amount, null: 0) of a checkout, ``is_subscription`` (null: false) and ``recurring_price``
    (an amount, null: the unit price) of a line. Dask and Spark return the rows in any order. Returned
    units are refused.

    >>> import pyarrow as pa
    >>> lines = pa.table({
    ...     "checkout": [7, 8, 7], "unit_price": [7900, 4900, 1250], "quantity": [2, 1, 1],
    ...     "rate": [81_000, 81_000, 26_000],
    ... })
    >>> totals(lines).select(["checkout", "total_gross", "total_net"]).to_pydict()
    {'checkout': [7, 8], 'total_gross': [17050, 4900], 'total_net': [15834, 4533]}

    Raises:
        InvalidInput, InvalidLines, InvalidAmount, InvalidDiscount, UnknownCurrency, InvalidOption: as for
            ``reprice``.
    """
    reading = OrderReading(columns or {}, lines, currency, rounding, zone, ids or {})
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
    """Count the checkouts for each entered code that *rules* do not define, most frequent first.

    Such codes have no effect in ``reprice`` and ``totals``. The frame is read in the same way, but only the
    columns *by* and ``codes`` are used; the codes of a checkout are those of its first row.

    >>> import pyarrow as pa
    >>> orders = pa.table({"checkout": ["a", "b", "c"], "codes": ["OLD", "", "old NEW"]})
    >>> unknown_codes(orders, PricingRules())
    {'OLD': 2, 'NEW': 1}

    Raises:
        InvalidInput: *orders* is not a frame, columns are missing or unreadable, or an id is null.
    """
    return ranked(unknown_in_frame(orders, rules, by=by, columns=columns or {}))
