"""Arguments of ``faregate refund``, read with all faults reported together."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from faregate.documents import dump, load, verify
from faregate.errors import FaregateError, InvalidDocument, InvalidInput, InvalidRefund, Issue
from faregate.files.fields.types import read_instant
from faregate.files.text.documents import FileFormat, read_document, read_file
from faregate.files.text.issues import issues_as, shown
from faregate.money.currency import Currency
from faregate.refunds import PaidOrder, Payment, RefundPolicy, RefundQuote, ReturnedUnits, refund_quote
from faregate.render.receipts import MINOR_UNITS
from faregate_cli.terminal.amounts import read_currency
from faregate_cli.terminal.arguments import ArgumentReader

_ITEMS = re.compile(r"(-?[0-9]{1,18})(?::([0-9]{1,18}(?:,[0-9]{1,18})*))?")
_ORDER, _TOTALS = "faregate.paid_order/1", "faregate.totals/1"
_POLICY, _QUOTE = "faregate.refund_policy/1", "faregate.refund_quote/1"


class RefundArguments(NamedTuple):
    """The arguments of ``faregate refund`` as typed; defaults are filled in when they are read."""

    order: Path
    items: Sequence[str]
    policy: Path | None = None
    refunded: Sequence[Path] = ()
    at: str | None = None
    currency: str | None = None
    is_explained: bool = False


class Refund(NamedTuple):
    """A refund quote for a return at the instant ``at``, and the currency of its amounts."""

    quote: RefundQuote
    at: datetime
    currency: Currency
    is_explained: bool


def read_refund(arguments: RefundArguments) -> Refund:
    """Return the refund quote for *arguments*, by default for a return now.

    Raises:
        InvalidInput: lists every fault of the arguments and the files.
    """
    reader = ArgumentReader()
    order = reader.attempt(lambda: _order(arguments.order))
    policy: RefundPolicy | None = RefundPolicy()
    if arguments.policy is not None:
        policy = reader.attempt(partial(_stored, arguments.policy, _POLICY))
    quotes = [reader.attempt(partial(_stored, file, _QUOTE)) for file in arguments.refunded]
    returned = [reader.read("--items", _units, text, None) for text in arguments.items]
    at = reader.read("--at", read_instant, arguments.at, datetime.now(UTC))
    unit = reader.read("--currency", read_currency, arguments.currency, MINOR_UNITS)
    if reader.faults or order is None or policy is None:
        raise InvalidInput(*reader.faults)
    try:
        quote = refund_quote(
            order, filter(None, returned), policy=policy, at=at, refunded=filter(None, quotes)
        )
    except InvalidRefund as error:
        raise InvalidRefund(*[_with_argument(issue, arguments) for issue in error.issues]) from None
    return Refund(quote, at, unit, arguments.is_explained)


def _order(file: Path) -> PaidOrder:
    """Return the order in *file*, whose prices must be those that its own rules give."""
    order = _stored(file, _ORDER, _TOTALS)
    try:
        wrong = verify(dump(order)).difference
    except FaregateError as error:
        raise InvalidDocument(f"{file}: the stored rules give no price: {error}") from None
    if wrong is not None:
        found = f"{_figure(wrong.stored)} is stored, but the stored rules give {_figure(wrong.computed)}"
        raise InvalidDocument(f"{file}: {Issue(wrong.loc, found)}")
    if isinstance(order, PaidOrder):
        return order
    return PaidOrder(totals=order, payments=(Payment(name="payment", amount=order.amount_due),))


def _figure(value: object) -> str:
    return f"a list of {len(value)}" if isinstance(value, list) else shown(value)


def _stored(file: Path, *formats: str) -> Any:
    """Return the value in *file*, a document of one of *formats* or of a later number."""
    with issues_as(InvalidDocument, str(file)):
        document = read_document(read_file(file), FileFormat.JSON)
        if document.issues:
            raise document.refusal()
        given = document.data.get("format") if isinstance(document.data, dict) else formats[0]
        if str(given).partition("/")[0] not in [each.partition("/")[0] for each in formats]:
            expected = f"expected {' or '.join(formats)}, got {shown(given)}"
            raise document.refusal([Issue(("format",), expected)])
        try:
            return load(document.data)
        except InvalidDocument as error:
            raise document.refusal(error.issues) from None


def _units(text: str) -> ReturnedUnits:
    found = _ITEMS.fullmatch(text)
    if found is None:
        raise InvalidInput(f"expected a line, as in 2, or units of a line, as in 2:0,3, got {shown(text)}")
    line, units = found.groups()
    return ReturnedUnits(line=int(line), units=tuple(map(int, units.split(","))) if units else None)


def _with_argument(issue: Issue, arguments: RefundArguments) -> str:
    """Return the text of *issue*, which names the argument instead of its position."""
    match issue.loc:
        case ("returned", int(index)):
            return f"--items {arguments.items[index]}: {issue.message}"
        case ("refunded", int(index)):
            return f"{arguments.refunded[index]}: {issue.message}"
        case _:
            return str(issue)
