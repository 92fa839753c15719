"""Every error that faregate raises.

::

    FaregateError                     code
    ├── InvalidInput                  invalid-input       (also a ValueError)
    │   ├── InvalidOption             invalid-option
    │   ├── UnitRequired              unit-required
    │   ├── InvalidAmount             invalid-amount
    │   ├── InvalidRate               invalid-rate
    │   ├── InvalidWeights            invalid-weights
    │   ├── InvalidPercent            invalid-percent
    │   ├── InvalidPeriod             invalid-period
    │   ├── InvalidLines              invalid-lines
    │   ├── InvalidDiscount           invalid-discount
    │   ├── InvalidVoucher            invalid-voucher
    │   ├── InvalidInvoice            invalid-invoice
    │   ├── InvalidCatalogue          invalid-catalogue
    │   ├── InvalidDocument           invalid-document
    │   ├── InvalidCheckout           invalid-checkout
    │   ├── InvalidRefund             invalid-refund
    │   └── InvalidAccessRequest      invalid-access-request
    ├── Unknown                       unknown             (also a LookupError)
    │   ├── UnknownCurrency           unknown-currency
    │   ├── UnknownEntry              unknown-entry
    │   └── UnknownItems              unknown-items
    ├── CheckoutConflict              checkout-conflict
    ├── CurrencyMismatch              currency-mismatch
    ├── NoObservations                no-observations
    └── ContextRequired               context-required

``code`` is stable and safe to store or to send; messages are for people and may change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import ClassVar, NamedTuple, TypeAlias

from faregate._values import public_value

Loc: TypeAlias = tuple[str | int, ...]
"""The path to a value: field names and indices."""


class IssueCode(Enum):
    """Kind of an issue; its value is stable and safe to store or to send."""

    INVALID = "invalid"

    UNKNOWN_VARIANT = "unknown-variant"
    UNKNOWN_DISCOUNT_CARD = "unknown-discount-card"
    UNKNOWN_PERSON = "unknown-person"
    UNKNOWN_ITEM = "unknown-item"
    UNKNOWN_MEDIUM = "unknown-medium"
    UNKNOWN_CODE = "unknown-code"
    NOT_SOLD_HERE = "not-sold-here"
    NEEDS_PARENT = "needs-parent"
    VALIDITY_REQUIRED = "validity-required"
    VALIDITY_NOT_WANTED = "validity-not-wanted"
    INVALID_VALIDITY = "invalid-validity"
    NOT_BOOKABLE = "not-bookable"
    SUBSCRIPTION_CONFLICT = "subscription-conflict"
    INVALID_DELTA = "invalid-delta"
    TOO_MANY_ITEMS = "too-many-items"
    TOO_MANY_UNITS = "too-many-units"
    TOO_MANY_CODES = "too-many-codes"
    PROMO_CODES_NOT_ACCEPTED = "promo-codes-not-accepted"
    VOUCHERS_NOT_ACCEPTED = "vouchers-not-accepted"
    MAPPING_REQUIRED = "mapping-required"
    UNKNOWN_MAPPING = "unknown-mapping"
    MAPPING_CONFLICT = "mapping-conflict"
    CURRENCY_MISMATCH = "currency-mismatch"
    DEPOT_NOT_ALLOWED = "depot-not-allowed"
    ORDERED_TOO_LATE = "ordered-too-late"
    NO_PRICE = "no-price"
    EMPTY_CHECKOUT = "empty-checkout"
    OWNER_REQUIRED = "owner-required"
    ADDRESS_REQUIRED = "address-required"
    TERMS_NOT_ACCEPTED = "terms-not-accepted"
    ANSWER_REQUIRED = "answer-required"
    PERSON_REQUIRED = "person-required"
    PERSON_INCOMPLETE = "person-incomplete"
    MEDIUM_REQUIRED = "medium-required"
    AGE_NOT_ADMITTED = "age-not-admitted"

    SOLD_OUT = "sold-out"
    ID_TAKEN = "id-taken"
    ID_USED = "id-used"
    NOT_DELETABLE = "not-deletable"
    UNIQUE_ITEM = "unique-item"
    ONE_PER_PERSON = "one-per-person"


@public_value
class Issue(NamedTuple):
    """One error in an input, with its location, a message and a code."""

    loc: Loc
    message: str
    code: IssueCode = IssueCode.INVALID

    def __str__(self) -> str:
        return f"{format_loc(self.loc)}: {self.message}".removeprefix(": ")

    def inside(self, *loc: str | int) -> Issue:
        """Return the issue with *loc* prepended to its ``loc``."""
        return self._replace(loc=(*loc, *self.loc))


def format_loc(loc: Loc) -> str:
    """Return *loc* as text, with a dot before each name and brackets around each index.

    >>> format_loc(("products", 3, "variants", 0, "id"))
    'products[3].variants[0].id'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".")


class FaregateError(Exception):
    """Base class of every error that the library raises on purpose."""

    code: ClassVar[str] = "error"

    def __reduce__(self) -> tuple[object, ...]:
        # Restore the state without calling the class: some classes take arguments other than the message.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[FaregateError], args: tuple[object, ...], values: dict[str, object]
) -> FaregateError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class _IssuesError(FaregateError):
    """An error that lists issues; a string argument becomes an issue without a ``loc``."""

    _shows_loc: ClassVar[bool] = True

    def __init__(self, *issues: Issue | str) -> None:
        self.issues = tuple([Issue((), issue) if isinstance(issue, str) else issue for issue in issues])
        super().__init__("; ".join(self.messages))

    @property
    def messages(self) -> tuple[str, ...]:
        """Texts of the issues; joined by semicolons, they form the message of the error."""
        return tuple([str(issue) if self._shows_loc else issue.message for issue in self.issues])


class InvalidInput(_IssuesError, ValueError):
    """An argument is invalid; ``issues`` lists the errors found.

    For a data frame, ``rows`` has the positions of invalid rows, counted from 0; at most 1,000 per issue.
    """

    code = "invalid-input"

    def __init__(self, *issues: Issue | str, rows: Iterable[int] = ()) -> None:
        super().__init__(*issues)
        self.rows = tuple(sorted(set(rows)))


class InvalidOption(InvalidInput):
    """An option is neither a member of its enumeration nor a member's value; ``choices`` lists the values."""

    code = "invalid-option"

    def __init__(self, option: str, value: object, choices: Sequence[object]) -> None:
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        super().__init__(f"{option} is {value!r}, expected {expected}")
        self.option = option
        self.value = value
        self.choices = tuple(choices)


class UnitRequired(InvalidInput):
    """Whole numbers were given with a currency but no unit: they could be in minor or in major units."""

    code = "unit-required"


class InvalidAmount(InvalidInput):
    """An amount is not a number, has too many decimals, or is out of range, for example negative."""

    code = "invalid-amount"


class InvalidRate(InvalidInput):
    """A rate is not a whole number of parts per million, or is out of range."""

    code = "invalid-rate"


class InvalidWeights(InvalidInput):
    """A weight, count or cap is invalid, the numbers of weights and caps differ, or all weights are 0."""

    code = "invalid-weights"


class InvalidPercent(InvalidInput):
    """A value is not an exact percentage from 0 to 100, or a lower threshold is above the upper one."""

    code = "invalid-percent"


class InvalidPeriod(InvalidInput):
    """A period does not end after its start, or an instant has no UTC offset."""

    code = "invalid-period"


class InvalidLines(InvalidInput):
    """Lines of a basket are invalid, for example because of a duplicate key or a negative price."""

    code = "invalid-lines"


class InvalidDiscount(InvalidInput):
    """The definition of a discount is invalid, or two discounts have the same code or id."""

    code = "invalid-discount"


class InvalidVoucher(InvalidInput):
    """The definition of a voucher is invalid, or two vouchers have the same code."""

    code = "invalid-voucher"


class InvalidInvoice(InvalidInput):
    """The VAT categories of a checkout cannot be combined in one EN 16931 invoice."""

    code = "invalid-invoice"


class InvalidCatalogue(InvalidInput):
    """A catalogue cannot be read, or its entries contradict one another.

    The message of an issue in a file names the file and the line; an issue in a ``Catalogue`` has a ``loc``.
    """

    code = "invalid-catalogue"


class InvalidDocument(InvalidInput):
    """A stored document cannot be read, or a value cannot be stored; ``loc`` is a path in the document."""

    code = "invalid-document"


class InvalidCheckout(InvalidInput):
    """Items of a checkout cannot be sold as they are, or a requested change is impossible."""

    code = "invalid-checkout"
    _shows_loc = False


class InvalidRefund(InvalidInput):
    """A return does not fit its order, or the payments of the order or the terms are invalid."""

    code = "invalid-refund"


class InvalidAccessRequest(InvalidInput):
    """A gate request cannot be priced; the ``loc`` of an issue names the invalid field."""

    code = "invalid-access-request"
    _shows_loc = False


class Unknown(FaregateError, LookupError):
    """Something named by the caller does not exist."""

    code = "unknown"


class UnknownCurrency(Unknown):
    """ISO 4217 does not list the code as a currency with a minor unit."""

    code = "unknown-currency"

    def __init__(self, currency: object, hint: str = "") -> None:
        super().__init__(f"unknown currency {currency!r}{hint and f': {hint}'}")
        self.currency = currency


class UnknownEntry(Unknown):
    """The catalogue has no such entry: ``UnknownEntry("variant", 7)`` means that variant 7 is missing.

    *more* is appended to the message, as in " of product 11".
    """

    code = "unknown-entry"

    def __init__(self, kind: str, name: object, more: str = "") -> None:
        super().__init__(f"unknown {kind} {name!r}{more}")
        self.kind = kind
        self.name = name


class UnknownItems(Unknown):
    """The checkout has no items with these ``ids``."""

    code = "unknown-items"

    def __init__(self, *ids: int) -> None:
        super().__init__(f"unknown items {', '.join(map(str, ids))}")
        self.ids = ids


class CheckoutConflict(_IssuesError):
    """The state of the checkout does not allow the change; ``issues`` lists every reason."""

    code = "checkout-conflict"
    _shows_loc = False


class CurrencyMismatch(FaregateError):
    """Amounts of different currencies are combined; faregate never converts currencies."""

    code = "currency-mismatch"

    def __init__(self, *, expected: str, actual: str) -> None:
        super().__init__(f"expected {expected}, got {actual}")
        self.expected = expected
        self.actual = actual


class NoObservations(FaregateError):
    """The price distribution is empty."""

    code = "no-observations"


class ContextRequired(FaregateError):
    """A rule depends on something that the context lacks, such as the instant, time zone or channel."""

    code = "context-required"

    def __init__(self, *, rule: str, needs: str, remedy: str = "") -> None:
        super().__init__(f"{rule} needs {needs} in the context{remedy and f': {remedy}'}")
        self.rule = rule
        self.needs = needs


class Issues(list[Issue]):
    """List that collects the issues of an input, to raise them together in one error.

    >>> issues = Issues()
    >>> issues.check(InvalidLines)
    >>> issues.add(("quantity",), "expected at least 1, got 0")
    >>> issues.add(("price",), "expected at least 0, got -5")
    >>> issues.check(InvalidLines)
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidLines: quantity: expected at least 1, got 0; price: expected at least 0, got -5
    """

    def add(self, loc: Loc, message: str, code: IssueCode = IssueCode.INVALID) -> None:
        """Append an issue."""
        self.append(Issue(loc, message, code))

    def check(self, error: type[InvalidInput | CheckoutConflict]) -> None:
        """Raise *error* with the collected issues, if any."""
        if self:
            raise error(*self)
