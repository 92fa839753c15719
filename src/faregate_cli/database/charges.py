"""A payment gateway's list of charges, from a CSV file or a file of JSON lines."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from faregate.errors import InvalidInput
from faregate.money.amounts import parse_minor_units
from faregate_cli.terminal.amounts import read_currency
from faregate_server.audit.charges import Charges

_COLUMNS = ("payment", "currency", "amount", "minorUnits")

_MOST_FAULTS = 20


def read_charges(file: Path) -> Charges:
    """Return the amounts in *file* in minor units, added up by payment id and currency.

    Each row has a ``payment`` and a ``currency``, and either an ``amount`` in major units, such as 69.50, or
    whole ``minorUnits``, such as 6950. Other columns are ignored. A file that begins with ``{`` is read as
    JSON lines. The delimiter of a CSV file is the most frequent of comma, semicolon and tab in its header.

    Raises:
        InvalidInput: the file or its rows are faulty; lists the first 20 faults.
    """
    charges: Charges = Counter()
    faults: list[str] = []
    try:
        for line, row in _rows(file.read_text(encoding="utf-8-sig")):
            try:
                key, amount = _charge(row)
                charges[key] += amount
            except InvalidInput as error:
                faults += [f"{file}: line {line}: {message}" for message in error.messages]
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, csv.Error) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise InvalidInput(f"{file}: is neither CSV nor JSON lines in UTF-8: {error}") from None
    if faults:
        raise InvalidInput(*faults[:_MOST_FAULTS])
    return charges


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    lines = text.splitlines()
    if text.lstrip().startswith("{"):
        for number, line in enumerate(lines, 1):
            if line.strip():
                row = json.loads(line, parse_float=Decimal)
                yield number, row if isinstance(row, dict) else {}
        return
    header = lines[0] if lines else ""
    reader = csv.DictReader(lines, delimiter=max(",;\t", key=header.count), strict=True)
    for row in reader:
        yield reader.line_num, {name: value for name, value in row.items() if value}


def _charge(row: Mapping[str, object]) -> tuple[tuple[str, str], int]:
    payment, code, amount, minor_units = (row.get(name) for name in _COLUMNS)
    if not payment or not code or (amount is None) is (minor_units is None):
        raise InvalidInput("expected payment, currency, and either amount (69.50) or minorUnits (6950)")
    unit = read_currency(str(code))
    if minor_units is None:
        taken = parse_minor_units(str(amount), unit)
    elif str(minor_units).removeprefix("-").isdecimal():
        taken = int(str(minor_units))
    else:
        raise InvalidInput(f"minorUnits must be a whole number, got {minor_units!r}")
    return (str(payment), unit.code), taken
