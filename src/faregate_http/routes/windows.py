"""The query parameters of all operations that look at a window of days and some lengths of validities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate_http.protocol.parameters import Parameter, read_day, read_duration

if TYPE_CHECKING:
    from datetime import date


def _day(name: str, description: str, *, example: str) -> Parameter[date]:
    schema: dict[str, object] = {"type": "string", "format": "date", "examples": [example]}
    return Parameter(name, schema, description, read_day)


DATE_FROM = _day(
    "dateFrom", "The first day on which validities begin; by default today.", example="2026-12-01"
)
DATE_TO = _day(
    "dateTo",
    "The last such day, at most 366 days in all; by default 30 days after the first.",
    example="2027-04-30",
)
# A part each, in this order, of which there is at least one.
_DAYS = "([0-9]{1,9}Y)?([0-9]{1,9}M)?([0-9]{1,9}W)?([0-9]{1,9}D)?"
_HOURS = "T([0-9]{1,9}H([0-9]{1,9}M)?([0-9]{1,9}S)?|[0-9]{1,9}M([0-9]{1,9}S)?|[0-9]{1,9}S)"
_DURATION: dict[str, object] = {
    "type": "string",
    "minLength": 3,
    "maxLength": 40,
    "pattern": f"^P{_DAYS}({_HOURS})?$",
}
DURATIONS = Parameter(
    "duration",
    {"type": "array", "items": _DURATION, "examples": [["P1D"]]},
    "Lengths, ISO 8601; by default all the product has.",
    read_duration,
)
