"""Query parameters of several operations: numbers, ids, periods and durations."""

from datetime import date

from faregate_http.protocol.parameters import Parameter, read_day, read_duration, read_number, whole_number

LARGEST_ID = 2**53 - 1


def number(
    name: str,
    description: str,
    *,
    most: int,
    example: int,
    usual: int | None = None,
    is_required: bool = False,
) -> Parameter[int]:
    """Return a parameter for a whole number from 1 to *most* with the default *usual*."""
    schema: dict[str, object] = {"type": "integer", "minimum": 1, "maximum": most}
    if usual is not None:
        schema["default"] = usual
    schema["examples"] = [example]
    return Parameter(name, schema, description, whole_number(1, most), is_required)


def numbers(name: str, description: str, *, example: int, least: int = 0) -> Parameter[int]:
    """Return a parameter for a list of at least *least* ids."""
    schema: dict[str, object] = {"type": "array"}
    if least:
        schema["minItems"] = least
    schema["items"] = {"type": "integer", "minimum": 1, "maximum": LARGEST_ID}
    schema["examples"] = [[example]]
    return Parameter(name, schema, description, read_number, is_required=least > 0)


def _day(name: str, description: str, *, example: str) -> Parameter[date]:
    schema: dict[str, object] = {"type": "string", "format": "date", "examples": [example]}
    return Parameter(name, schema, description, read_day)


DATE_FROM = _day("dateFrom", "First day on which periods begin. Defaults to today.", example="2026-12-01")
DATE_TO = _day(
    "dateTo",
    "Last day on which periods begin, at most 366 days in all. Defaults to 30 days after dateFrom.",
    example="2027-04-30",
)
# All parts are optional, but at least one must be present.
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
    "Durations, ISO 8601. Defaults to all durations of the product.",
    read_duration,
)
