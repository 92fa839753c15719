"""Conversion of order columns to arrays; of types other than int, each distinct value is read once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from faregate.batch.basket.lines import NONE
from faregate.batch.columns.values import Dates, Mask, Numbers
from faregate.errors import InvalidRate
from faregate.frames.columns.encoded import Encoded, Ids, array_of, encoded, numbers_of, one_array
from faregate.frames.columns.prices import FaultyValue, Kind, Negatives, PriceReader
from faregate.frames.orders.faults import Faults
from faregate.frames.orders.fields import Plan
from faregate.money.amounts import LARGEST_AMOUNT, MAX_SLIPPED, MILLION
from faregate.tax.rates import VatRate

_IN_PERCENT = "probably in percent (write percent as text, or 8 % as 80000)"
_LARGEST_ID = 2**63 - 1
_NOT_A_DAY = int(np.datetime64("NaT", "D").view(np.int64))
_ID = re.compile(r"0|-?[1-9][0-9]{0,17}")


def is_text(dtype: Any) -> bool:
    """Return True if the values of an Arrow type are strings."""
    types = pa.types
    return bool(types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype))


def is_list(dtype: Any) -> bool:
    """Return True if the values of an Arrow type are lists of any length."""
    types = pa.types
    kinds = (types.is_list, types.is_large_list, types.is_fixed_size_list, types.is_list_view)
    return any(is_kind(dtype) for is_kind in (*kinds, types.is_large_list_view))


def money_kind(dtype: Any) -> Kind | None:
    """Return the kind of a column of amounts with the Arrow type *dtype*, or None if it cannot be read."""
    types = pa.types
    dtype = dtype.value_type if types.is_dictionary(dtype) else dtype
    if types.is_integer(dtype) or types.is_null(dtype):
        return Kind.MINOR_UNITS
    if types.is_decimal(dtype) or is_text(dtype):
        return Kind.MAJOR_UNITS
    return Kind.BINARY_FRACTIONS if types.is_float64(dtype) else None


class OrderValues:
    """Reads a table whose columns are named after fields; faulty values are added to *faults*."""

    def __init__(self, table: Any, plan: Plan, faults: Faults) -> None:
        self.table = table
        self._plan = plan
        self._faults = faults

    def has(self, field: str) -> bool:
        """Return True if the table has a column for *field*."""
        return field in self._plan.names

    def column(self, field: str) -> Ids:
        """Return the column of *field* as a single Arrow array."""
        return one_array(self.table.column(field))

    # ------------------------------------------------------------ numbers

    def numbers(self, field: str, *, least: int, most: int) -> Numbers:
        """Return the column of *field* as int64; nulls and numbers outside *least* to *most* are faults."""
        column = self.column(field)
        self._refuse_nulls(field, column)
        values = self._int64(field, column, null=least)
        self._refuse_beyond(field, values, least=least, most=most)
        return values

    def units(self, field: str, *, most: int) -> Numbers:
        """Return the column of *field* as int64, below 0 for returned units; nulls and 0 are faults."""
        values = self.numbers(field, least=-most, most=most)
        self._faults.note(self._plan.names[field], "zero", values == 0)
        return values

    def ids(self, field: str) -> Numbers:
        """Return the column of *field*, which holds ids, as int64, with ``NONE`` for null."""
        column = self.column(field)
        if not is_text(column.type):
            return self._int64(field, column, null=NONE)
        name, ids = self._plan.names[field], self._plan.ids.get(field)

        def read(value: str | None) -> int | FaultyValue:
            """Return the id that *value* stands for, or ``NONE`` if no rule can refer to it."""
            if value is None or ids is not None:
                return NONE if value is None or ids is None else ids.get(value, NONE)
            if _ID.fullmatch(value):
                return int(value)
            return FaultyValue(name, f"not a whole number (pass ids={{{field!r}: …}})", repr(value))

        return self._read_each(field, read)

    def mask(self, field: str, *, null: bool) -> Mask:
        """Return the column of *field* as a mask, with the value *null* in place of nulls."""
        return _filled(self.column(field).cast(pa.bool_()), null)

    def _int64(self, field: str, column: Ids, *, null: int) -> Numbers:
        if pa.types.is_uint64(column.type):
            is_large = pc.greater(column, pa.scalar(_LARGEST_ID, pa.uint64())).fill_null(False)
            self._faults.note(self._plan.names[field], f"beyond {_LARGEST_ID}", numbers_of(is_large))
            column = column.cast(pa.int64(), safe=False)
        return _filled(column.cast(pa.int64()), null)

    def _refuse_nulls(self, field: str, column: Ids) -> None:
        if column.null_count:
            self._faults.note(self._plan.names[field], "null", numbers_of(column.is_null()))

    def _refuse_beyond(self, field: str, values: Numbers, *, least: int, most: int) -> None:
        name = self._plan.names[field]
        if values.min(initial=least) < least:
            self._faults.note(name, f"below {least}", values < least, values)
        if values.max(initial=most) > most:
            self._faults.note(name, f"beyond {most}", values > most, values)

    # ------------------------------------------------------------ amounts and rates

    def amounts(self, field: str, *, null: int | None = None, least: int = 0) -> Numbers:
        """Return the column of *field* in minor units; nulls become *null*, or faults if that is None."""
        column = self.column(field)
        if null is None:
            self._refuse_nulls(field, column)
        kind = money_kind(column.type)
        if kind is not Kind.MINOR_UNITS:
            return self._read_amounts(field, kind, null=null, least=least)
        values = self._int64(field, column, null=0)
        self._refuse_beyond(field, values, least=least, most=LARGEST_AMOUNT)
        return np.where(numbers_of(column.is_null()), null, values) if null else values

    def _read_amounts(self, field: str, kind: Any, *, null: int | None, least: int) -> Numbers:
        negatives = Negatives.REFUSED if least == 0 else Negatives.ALLOWED
        reader = PriceReader(replace(self._plan.amounts(field), negatives=negatives), kind, only=None)

        def read(value: Any) -> int | FaultyValue:
            """Return *value* as an amount in minor units, or a ``FaultyValue`` with the reason."""
            return (null or 0) if value is None else reader.read(value)

        return self._read_each(field, read)

    def rates(self, field: str) -> Numbers:
        """Return the VAT rates in the column of *field* in parts per million, converting those in percent."""
        column = self.column(field)
        if pa.types.is_integer(column.type) or pa.types.is_null(column.type):
            values = self.numbers(field, least=0, most=MILLION)
            is_percent = (values > 0) & (values <= MAX_SLIPPED)
            self._faults.note(self._plan.names[field], _IN_PERCENT, is_percent, values)
            return values
        self._refuse_nulls(field, column)
        name = self._plan.names[field]

        def read(value: Any) -> int | FaultyValue:
            """Return *value* as a rate in parts per million, or a ``FaultyValue`` with the reason."""
            try:
                return 0 if value is None else VatRate.percent(str(value).strip()).parts_per_million
            except InvalidRate as wrong:
                return FaultyValue(name, "not a rate in percent", str(wrong))

        return self._read_each(field, read)

    def _read_each(self, field: str, read: Callable[[Any], int | FaultyValue]) -> Numbers:
        values, codes = self.texts(field)
        amounts = [read(value) for value in values]
        for code, value in enumerate(amounts):
            if isinstance(value, FaultyValue):
                self._faults.note_value(value, np.flatnonzero(codes == code))
        known = np.array([0 if isinstance(value, FaultyValue) else value for value in amounts], np.int64)
        return known[codes]

    # ------------------------------------------------------------ time and strings

    def days(self, field: str) -> Dates:
        """Return the column of *field* as dates, with NaT for null; timestamps lose their time of day."""
        return _days(self.column(field).cast(pa.date32()))

    def known_days(self, field: str) -> Dates:
        """Return the column of *field* as dates; nulls are faults."""
        self._refuse_nulls(field, self.column(field))
        days = self.days(field)
        return np.where(np.isnat(days), np.datetime64(0, "D"), days)

    def instants(self, field: str) -> Dates:
        """Return the column of *field* as UTC instants; nulls are faults. A missing zone is taken as UTC."""
        column = self.column(field)
        self._refuse_nulls(field, column)
        in_utc = column.cast(pa.timestamp("us", getattr(column.type, "tz", None)), safe=False)
        return _filled(in_utc.cast(pa.int64()), 0).view("datetime64[us]")

    def local_days(self, field: str, zone: str) -> Dates:
        """Return the instants in the column of *field* as local dates in the time zone *zone*."""
        instants = array_of(self.instants(field).view(np.int64)).cast(pa.timestamp("us", "UTC"))
        local = pc.local_timestamp(instants.cast(pa.timestamp("us", zone)))
        return _days(local.cast(pa.date32(), safe=False))

    def texts(self, field: str) -> Encoded:
        """Return the column of *field*, dictionary-encoded: distinct values, and an index for each row."""
        return encoded(self.table.column(field))


def _days(column: Ids) -> Dates:
    return _filled(column.view(pa.int32()).cast(pa.int64()), _NOT_A_DAY).view("datetime64[D]")


def _filled(column: Ids, null: int) -> npt.NDArray[Any]:
    return numbers_of(column.fill_null(null) if column.null_count else column)
