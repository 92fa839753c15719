"""Repricing of a table of lines: figures of its lines and checkouts. Decisions §3–§6.

This code is the same for every engine; the arithmetic is done by ``faregate.batch.totals.pipeline``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import NONE, LineColumns
from faregate.batch.columns.offsets import baskets_of, lines_of, offsets_of
from faregate.batch.columns.values import Dates, Mask, Numbers
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.totals.figures import LineTotals
from faregate.batch.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.frames.columns.encoded import Ids, array_of, numbers_of, one_array
from faregate.frames.orders.codes import entered_codes
from faregate.frames.orders.faults import Faults, FaultyOrders
from faregate.frames.orders.fields import ATTRIBUTE, BY, Lines, Plan, Rows
from faregate.frames.orders.groups import Groups, groups_of
from faregate.frames.orders.values import OrderValues, is_list
from faregate.money.amounts import LARGEST_AMOUNT

LINE_FIGURES = LineTotals._fields
"""Names of the figures of a line: int64 minor units, except ``auto_discount``, a discount's id or null."""

CHECKOUT_FIGURES = (
    "list_price_gross",
    "list_price_net",
    "promo_code_discount",
    "auto_discount_amount",
    "total_discount_gross",
    "total_discount_net",
    "total_subscription_gross",
    "total_subscription_net",
    "donation",
    "total_gross",
    "total_net",
)
"""Names of the figures of a checkout, which are all int64 minor units."""

_MAX_UNITS = 10**9
_IDS = ("product", "variant", "category", "discount_card")
_MASKS = {"discountable": True, "counted": True, "is_subscription": False}
_EARLIEST, _LATEST = np.timedelta64(-14, "h"), np.timedelta64(36, "h")
"""Earliest start and latest end of a local date in any zone, relative to midnight UTC of that date."""


class PricedOrders(NamedTuple):
    """A priced table: its lines, grouped by checkout, and the figures of lines and checkouts."""

    groups: Groups
    ids: Ids
    totals: CheckoutTotals
    plan: Plan
    lines: LineColumns
    context: ContextColumns
    returned: Mask
    """Rows with returned units; the figures of their lines are negated."""


def priced(table: Any, plan: Plan, *, start: int = 0) -> PricedOrders:
    """Price the orders in *table*, whose columns are named after fields; errors count rows from *start*.

    Raises:
        FaultyOrders: rows are faulty; the error covers all of them.
        InvalidInput: lines of a checkout must be adjacent, but are not.
        InvalidAmount: the figures of a checkout do not fit into 64 bits.
    """
    ids = one_array(table.column(BY))
    numbered = plan.rows is Rows.NUMBERED
    faults = Faults(lambda row: _place(plan, ids, row, start), start=start, numbered=numbered)
    if ids.null_count:
        faults.note(plan.names[BY], "null", numbers_of(ids.is_null()))
        raise FaultyOrders(faults)
    groups = groups_of(ids, plan.lines, column=plan.names[BY], start=start)
    values = OrderValues(table, plan, faults)
    quantity = _quantity(values, plan)
    returned = quantity < 0
    if returned.any():
        groups = _apart(ids, returned)
    reader = _ColumnReader(values, groups, plan, faults)
    columns, facts = reader.line_columns(np.abs(quantity)), reader.context()
    entered, donation = reader.codes(), reader.donation()
    if faults:
        raise FaultyOrders(faults)
    rules = plan.rules
    lines, context = LineColumns(offsets=groups.offsets, **columns), ContextColumns(**facts)
    totals = checkout_totals(
        lines,
        automatic=rules.automatic,
        promo_codes=rules.promo_codes,
        entered=entered,
        donation=donation,
        policy=rules.policy,
        context=context,
    )
    return PricedOrders(groups, ids, totals, plan, lines, context, returned)


def _quantity(values: OrderValues, plan: Plan) -> Numbers:
    if plan.takes_returns:
        return values.units("quantity", most=_MAX_UNITS)
    return values.numbers("quantity", least=1, most=_MAX_UNITS)


def _apart(ids: Ids, returned: Mask) -> Groups:
    """Group rows by checkout, those with returned units into a checkout of their own."""
    codes = numbers_of(ids.dictionary_encode().indices).astype(np.int64)
    return groups_of(array_of(2 * codes + returned), Lines.SCATTERED, column=BY)


def _place(plan: Plan, ids: Ids, row: int, start: int) -> str:
    if plan.rows is Rows.NUMBERED:
        return f"row {start + row}"
    return f"{plan.names[BY]} {ids[row].as_py()!r}"


# ---------------------------------------------------------------- input


class _ColumnReader(NamedTuple):
    values: OrderValues
    groups: Groups
    plan: Plan
    faults: Faults

    def line_columns(self, quantity: Numbers) -> dict[str, Any]:
        """Return the fields of ``LineColumns`` by name, with the lines of each checkout adjacent."""
        values = self.values
        price = values.amounts("unit_price")
        list_price = price * np.clip(quantity, 0, _MAX_UNITS).astype(np.float64)
        self._refuse("unit_price", f"beyond {LARGEST_AMOUNT} with its quantity", list_price > LARGEST_AMOUNT)
        columns: dict[str, Any] = {"unit_price": price, "quantity": quantity, "rate": values.rates("rate")}
        columns |= {name: values.ids(name) for name in _IDS if values.has(name)}
        columns |= {name: values.mask(name, null=usual) for name, usual in _MASKS.items() if values.has(name)}
        if values.has("first_day"):
            columns["first_day"] = values.days("first_day")
        if values.has("floor_price"):
            columns["floor_price"] = values.amounts("floor_price", null=0)
        if values.has("recurring_price"):
            columns["recurring_price"] = values.amounts("recurring_price", null=NONE)
        if values.has("key"):
            columns["key"] = self._keys()
        lines = {name: self.groups.gathered(column) for name, column in columns.items()}
        return {**lines, "attributes": self._attributes()}

    def _keys(self) -> Numbers:
        keys = self.values.numbers("key", least=-(2**63) + 1, most=2**63 - 1)
        own = self.groups.gathered(keys)
        baskets = baskets_of(self.groups.offsets)
        if not ((own[1:] <= own[:-1]) & (baskets[1:] == baskets[:-1])).any():
            return keys
        order = np.lexsort((own, baskets))
        is_twice = (own[order][1:] == own[order][:-1]) & (baskets[order][1:] == baskets[order][:-1])
        rows = self._rows(order[1:][is_twice])
        self.faults.note(self.plan.names["key"], "used twice in a checkout", np.sort(rows), keys)
        return keys

    def _attributes(self) -> dict[tuple[str, str], Mask]:
        masks = {}
        for identifier, value in self.plan.attributes:
            texts, codes = self.values.texts(f"{ATTRIBUTE}{identifier}")
            masks[identifier, value] = self.groups.gathered(
                np.array([own == value for own in texts], bool)[codes]
            )
        return masks

    def context(self) -> dict[str, Any]:
        """Return the fields of ``ContextColumns`` by name: an array with a value per checkout, or None."""
        values, plan = self.values, self.plan
        at = (
            self._of_checkouts("ordered_at", values.instants("ordered_at"))
            if values.has("ordered_at")
            else None
        )
        day = self._ordered_on()
        if at is None and day is not None:
            at = day.astype("datetime64[us]")
        elif at is not None and day is not None and plan.zone is None:
            since = at - day.astype("datetime64[us]")
            wrong = self.groups.firsts[(since < _EARLIEST) | (since >= _LATEST)]
            self._refuse("ordered_on", "not the date of ordered_at in any time zone", np.sort(wrong))
        channel = account = None
        if values.has("channel"):
            texts, codes = values.texts("channel")
            self._refuse("channel", "null", np.array([text is None for text in texts], bool)[codes])
            channel = np.array([text or "" for text in texts], np.str_)[self._of_checkouts("channel", codes)]
        if values.has("account"):
            account = self._of_checkouts("account", values.ids("account"))
        groups = self._customer_groups() if values.has("customer_group") else {}
        return {
            "at": at,
            "ordered_on": day,
            "channel": channel,
            "account": account,
            "customer_groups": groups,
        }

    def _customer_groups(self) -> dict[str, Mask]:
        texts, codes = self.values.texts("customer_group")
        own = self._of_checkouts("customer_group", codes)
        names = {text for text in texts if text is not None}
        return {name: np.array([text == name for text in texts], bool)[own] for name in names}

    def _ordered_on(self) -> Dates | None:
        values, zone = self.values, self.plan.zone
        if values.has("ordered_on"):
            own: Dates = self._of_checkouts("ordered_on", values.known_days("ordered_on"))
            return own
        if zone is not None and values.has("ordered_at"):
            days: Dates = values.local_days("ordered_at", zone)[self.groups.firsts]
            return days
        return None

    def codes(self) -> CodeColumns | None:
        """Return the known codes entered in each checkout, or None if the rules have no promo codes."""
        promo_codes, count = self.plan.rules.promo_codes, len(self.groups.firsts)
        if not promo_codes or not self.values.has("codes"):
            none = np.zeros(0, np.int64)
            return CodeColumns(offsets=np.zeros(count + 1, np.int64), codes=none) if promo_codes else None
        column = self.values.table.column("codes")
        if is_list(column.type):
            self._refuse_holes(one_array(column))
        together, rows = entered_codes(column)
        index = {promo_code.code: n for n, promo_code in enumerate(promo_codes)}
        known = [[index[code] for code in codes if code in index] for codes in together]
        return _code_columns(known, self._of_checkouts("codes", rows))

    def _refuse_holes(self, column: Ids) -> None:
        column = column.cast(pa.list_(pa.string()))
        holes = column.flatten().is_null()
        if pc.any(holes).as_py():
            rows = pc.list_parent_indices(column).filter(holes)
            self._refuse("codes", "null among the codes", np.unique(numbers_of(rows)))

    def donation(self) -> Numbers | int:
        """Return the donation of each checkout, or 0 if the table has no donations."""
        if not self.values.has("donation"):
            return 0
        given: Numbers = self._of_checkouts("donation", self.values.amounts("donation", null=0))
        return given

    # ------------------------------------------------------------ rows and checkouts

    def _of_checkouts(self, field: str, column: Any) -> Any:
        """Return the value of *field* in each checkout; note a fault if rows of the same checkout differ."""
        own = self.groups.gathered(column)
        is_other = own[1:] != own[:-1]
        is_other[self.groups.offsets[1:-1] - 1] = False
        if is_other.any():
            rows = self._rows(np.flatnonzero(is_other) + 1)
            self._refuse(field, "must be the same in all rows of a checkout, but differs", np.sort(rows))
        return column[self.groups.firsts]

    def _rows(self, lines: Numbers) -> Numbers:
        order = self.groups.order
        return lines if order is None else order[lines]

    def _refuse(self, field: str, what: str, rows: Mask | Numbers) -> None:
        self.faults.note(self.plan.names[field], what, rows)


def _code_columns(lists: Sequence[list[int]], codes: Numbers) -> CodeColumns:
    flat = np.array([index for own in lists for index in own], np.int64)
    lengths = np.array([len(own) for own in lists], np.int64)
    entries, offsets = lines_of(codes, offsets_of(lengths))
    return CodeColumns(offsets=offsets, codes=flat[entries])


# ---------------------------------------------------------------- output


def line_columns(orders: PricedOrders) -> dict[str, Any]:
    """Return the figures of all lines as Arrow arrays by name, in the original order of the rows."""
    columns = {
        name: orders.groups.scattered(column) for name, column in orders.totals.lines._asdict().items()
    }
    index = columns.pop("auto_discount")
    if orders.returned.any():
        columns = {name: np.where(orders.returned, -column, column) for name, column in columns.items()}
    ids = np.array([discount.id for discount in orders.plan.rules.automatic] + [0], np.int64)
    winners = array_of(ids[index], index >= 0)
    arrays = {name: array_of(column) for name, column in columns.items()} | {"auto_discount": winners}
    return {name: arrays[name] for name in LINE_FIGURES}


def checkout_columns(orders: PricedOrders) -> dict[str, Any]:
    """Return checkout ids and figures as Arrow arrays by name; checkouts are ordered by their first rows."""
    figures = {name: getattr(orders.totals, name) for name in CHECKOUT_FIGURES}
    ids = {orders.plan.names[BY]: orders.ids.take(array_of(orders.groups.firsts))}
    return ids | {name: array_of(column) for name, column in figures.items()}
