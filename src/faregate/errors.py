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
    │   ├── InvalidCheckout           invalid-checkout
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

from enum import Enum
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Loc: TypeAlias = tuple[str | int, ...]
"""The path to a value: field names and indices."""


class IssueCode(Enum):
    """The kind of an issue; stable and safe to send."""

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


class Issue(NamedTuple):
    """Something wrong with an input: where, in words, and of which kind."""

    loc: Loc
    message: str
    code: IssueCode = IssueCode.INVALID

    def __str__(self) -> str:
        return f"{format_loc(self.loc)}: {self.message}".removeprefix(": ")

    def inside(self, *loc: str | int) -> Issue:
        """Return the issue with its ``loc`` read from outside of the value at *loc*."""
        return self._replace(loc=(*loc, *self.loc))


def format_loc(loc: Loc) -> str:
    """Write a path as people do.

    >>> format_loc(("products", 3, "variants", 0, "id"))
    'products[3].variants[0].id'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".")


class FaregateError(Exception):
    """The root: catch it to catch everything the library raises on purpose."""

    code: ClassVar[str] = "error"

    def __reduce__(self) -> tuple[object, ...]:
        # By its state, not by calling the class again: some take other arguments than their message.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[FaregateError], args: tuple[object, ...], values: dict[str, object]
) -> FaregateError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class _IssuesError(FaregateError):
    """An error that lists issues; a text becomes an issue without a place."""

    _shows_loc: ClassVar[bool] = True

    def __init__(self, *issues: Issue | str) -> None:
        self.issues = tuple([Issue((), issue) if isinstance(issue, str) else issue for issue in issues])
        super().__init__("; ".join(self.messages))

    @property
    def messages(self) -> tuple[str, ...]:
        """One text for each issue; joined by semicolons they are the message of the error."""
        return tuple([str(issue) if self._shows_loc else issue.message for issue in self.issues])


class InvalidInput(_IssuesError, ValueError):
    """An argument is impossible; ``issues`` lists everything that is wrong with it.

    ``rows`` are the invalid rows of a data frame, ascending from 0, at most 1,000 of each issue.
    """

    code = "invalid-input"

    def __init__(self, *issues: Issue | str, rows: Iterable[int] = ()) -> None:
        super().__init__(*issues)
        self.rows = tuple(sorted(set(rows)))


class InvalidOption(InvalidInput):
    """An option is neither a member of its enumeration nor the value of one; ``choices`` lists the values."""

    code = "invalid-option"

    def __init__(self, option: str, value: object, choices: Sequence[object]) -> None:
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        super().__init__(f"{option} is {value!r}, expected {expected}")
        self.option = option
        self.value = value
        self.choices = tuple(choices)


class UnitRequired(InvalidInput):
    """Whole numbers beside a currency may be minor or major units, and nothing says which."""

    code = "unit-required"


class InvalidAmount(InvalidInput):
    """Not an amount of the currency: no number, too many decimals, out of range, or negative."""

    code = "invalid-amount"


class InvalidRate(InvalidInput):
    """Not a rate in whole parts per million, or outside its bounds."""

    code = "invalid-rate"


class InvalidWeights(InvalidInput):
    """A weight, count or cap is negative, their numbers differ, or there is nothing to share by."""

    code = "invalid-weights"


class InvalidPercent(InvalidInput):
    """Not an exact percentage from 0 to 100, or a lower one above an upper."""

    code = "invalid-percent"


class InvalidPeriod(InvalidInput):
    """A period ends before or when it begins, or an instant lacks its offset."""

    code = "invalid-period"


class InvalidLines(InvalidInput):
    """Lines of a basket are impossible: key used twice, negative price, no quantity, wrong type."""

    code = "invalid-lines"


class InvalidDiscount(InvalidInput):
    """A discount is defined impossibly, or the same code or id is given twice."""

    code = "invalid-discount"


class InvalidVoucher(InvalidInput):
    """A voucher has a negative balance, or the same code is given twice."""

    code = "invalid-voucher"


class InvalidInvoice(InvalidInput):
    """The VAT categories of a checkout do not fit into one document of EN 16931."""

    code = "invalid-invoice"


class InvalidCatalogue(InvalidInput):
    """A catalogue cannot be read, or its entries contradict one another.

    The issues of a file have its name and lines in their text, those of a ``Catalogue`` have a ``loc``.
    """

    code = "invalid-catalogue"


class InvalidCheckout(InvalidInput):
    """Items of a checkout cannot be sold as they stand, or a change asks for something impossible."""

    code = "invalid-checkout"
    _shows_loc = False


class InvalidAccessRequest(InvalidInput):
    """The request of a gate has no price; the ``loc`` of an issue is the field that it is in."""

    code = "invalid-access-request"
    _shows_loc = False


class Unknown(FaregateError, LookupError):
    """Something is named that does not exist."""

    code = "unknown"


class UnknownCurrency(Unknown):
    """A code that ISO 4217 does not list as a currency with a minor unit."""

    code = "unknown-currency"

    def __init__(self, currency: object, hint: str = "") -> None:
        super().__init__(f"unknown currency {currency!r}{hint and f': {hint}'}")
        self.currency = currency


class UnknownEntry(Unknown):
    """The catalogue holds no such entry, for example ``UnknownEntry("variant", 7)``."""

    code = "unknown-entry"

    def __init__(self, kind: str, name: object) -> None:
        super().__init__(f"unknown {kind} {name!r}")
        self.kind = kind
        self.name = name


class UnknownItems(Unknown):
    """A checkout holds no items of these ``ids``."""

    code = "unknown-items"

    def __init__(self, *ids: int) -> None:
        super().__init__(f"unknown items {', '.join(map(str, ids))}")
        self.ids = ids


class CheckoutConflict(_IssuesError):
    """A checkout is not in a state for the change; ``issues`` lists every reason."""

    code = "checkout-conflict"
    _shows_loc = False


class CurrencyMismatch(FaregateError):
    """Two amounts of different currencies meet; faregate never converts."""

    code = "currency-mismatch"

    def __init__(self, *, expected: str, actual: str) -> None:
        super().__init__(f"expected {expected}, got {actual}")
        self.expected = expected
        self.actual = actual


class NoObservations(FaregateError):
    """A question about prices of which there are none."""

    code = "no-observations"


class ContextRequired(FaregateError):
    """A rule depends on something the caller did not say: the instant, the zone, the channel."""

    code = "context-required"

    def __init__(self, *, rule: str, needs: str, remedy: str = "") -> None:
        super().__init__(f"{rule} needs {needs} in the context{remedy and f': {remedy}'}")
        self.rule = rule
        self.needs = needs


class Issues(list[Issue]):
    """Collects the issues of an input, so that all of them are reported together.

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
        """Collect one issue."""
        self.append(Issue(loc, message, code))

    def check(self, error: type[InvalidInput | CheckoutConflict]) -> None:
        """Raise *error* with the issues, if there are any."""
        if self:
            raise error(*self)
