"""The error hierarchy: stable codes, and messages with the values."""

import pickle

import pytest

from faregate import errors
from faregate.errors import (
    CheckoutConflict,
    ContextRequired,
    CurrencyMismatch,
    FaregateError,
    InvalidAccessRequest,
    InvalidAmount,
    InvalidCatalogue,
    InvalidCheckout,
    InvalidDiscount,
    InvalidDocument,
    InvalidInput,
    InvalidInvoice,
    InvalidLines,
    InvalidOption,
    InvalidPercent,
    InvalidPeriod,
    InvalidRate,
    InvalidRefund,
    InvalidVoucher,
    InvalidWeights,
    Issue,
    IssueCode,
    NoObservations,
    UnitRequired,
    Unknown,
    UnknownCurrency,
    UnknownEntry,
    UnknownItems,
)

HIERARCHY: list[tuple[type[FaregateError], str, type[Exception]]] = [
    (FaregateError, "error", Exception),
    (InvalidInput, "invalid-input", ValueError),
    (InvalidOption, "invalid-option", InvalidInput),
    (UnitRequired, "unit-required", InvalidInput),
    (InvalidAmount, "invalid-amount", InvalidInput),
    (InvalidRate, "invalid-rate", InvalidInput),
    (InvalidWeights, "invalid-weights", InvalidInput),
    (InvalidPercent, "invalid-percent", InvalidInput),
    (InvalidPeriod, "invalid-period", InvalidInput),
    (InvalidLines, "invalid-lines", InvalidInput),
    (InvalidDiscount, "invalid-discount", InvalidInput),
    (InvalidVoucher, "invalid-voucher", InvalidInput),
    (InvalidInvoice, "invalid-invoice", InvalidInput),
    (InvalidCatalogue, "invalid-catalogue", InvalidInput),
    (InvalidDocument, "invalid-document", InvalidInput),
    (InvalidCheckout, "invalid-checkout", InvalidInput),
    (InvalidRefund, "invalid-refund", InvalidInput),
    (InvalidAccessRequest, "invalid-access-request", InvalidInput),
    (Unknown, "unknown", LookupError),
    (UnknownCurrency, "unknown-currency", Unknown),
    (UnknownEntry, "unknown-entry", Unknown),
    (UnknownItems, "unknown-items", Unknown),
    (CheckoutConflict, "checkout-conflict", FaregateError),
    (CurrencyMismatch, "currency-mismatch", FaregateError),
    (NoObservations, "no-observations", FaregateError),
    (ContextRequired, "context-required", FaregateError),
]


@pytest.mark.parametrize(("kind", "code", "parent"), HIERARCHY)
def test_every_error_has_its_code_and_can_be_caught_as_its_parent(
    kind: type[FaregateError], code: str, parent: type[Exception]
) -> None:
    assert kind.code == code
    assert issubclass(kind, parent)
    assert issubclass(kind, FaregateError)


def test_every_public_error_is_in_the_table_and_no_code_is_used_twice() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)}
    public = {kind for kind in kinds if not kind.__name__.startswith("_")}

    assert {kind for kind, _, _ in HIERARCHY} == public
    assert len({code for _, code, _ in HIERARCHY}) == len(HIERARCHY)


def test_a_text_given_to_an_error_is_an_issue_without_a_loc() -> None:
    error = InvalidLines("line 1: no price", "line 2: no rate")

    assert error.issues == (Issue((), "line 1: no price"), Issue((), "line 2: no rate"))
    assert error.messages == ("line 1: no price", "line 2: no rate")
    assert str(error) == "line 1: no price; line 2: no rate"


NO_PERSON = Issue(("items", 0, "person"), "there is no person 8", IssueCode.UNKNOWN_PERSON)
NO_VALIDITY = Issue(("items", 2, "validity"), "product 11 needs a validity", IssueCode.VALIDITY_REQUIRED)
TAKEN = Issue(("items", 1, "id"), "item 7 is there already", IssueCode.ID_TAKEN)


def test_issues_of_input_print_their_locs_and_messages() -> None:
    error = InvalidCatalogue(NO_PERSON, "is empty")

    assert error.messages == ("items[0].person: there is no person 8", "is empty")
    assert str(error) == "items[0].person: there is no person 8; is empty"


def test_issues_of_a_checkout_keep_their_locs() -> None:
    error = InvalidCheckout(NO_PERSON, NO_VALIDITY)

    assert error.issues == (NO_PERSON, NO_VALIDITY)
    assert error.messages == ("there is no person 8", "product 11 needs a validity")
    assert str(error) == "there is no person 8; product 11 needs a validity"


def test_an_issue_of_a_checkout_may_have_no_loc() -> None:
    error = InvalidCheckout("not a basket", NO_PERSON)

    assert error.messages == ("not a basket", "there is no person 8")
    assert error.issues == (Issue((), "not a basket"), NO_PERSON)


def test_conflicts_keep_their_locs_and_are_not_invalid_input() -> None:
    error = CheckoutConflict(TAKEN, TAKEN._replace(message="item 8 is there already"))

    assert [issue.loc for issue in error.issues] == [("items", 1, "id")] * 2
    assert str(error) == "item 7 is there already; item 8 is there already"
    assert not isinstance(error, InvalidInput)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (UnknownCurrency("XYZ"), "unknown currency 'XYZ'"),
        (UnknownCurrency("chf", "write 'CHF'"), "unknown currency 'chf': write 'CHF'"),
        (UnknownEntry("variant", 7), "unknown variant 7"),
        (UnknownEntry("channel", "web"), "unknown channel 'web'"),
        (UnknownEntry("variant", 7, "of product 11"), "unknown variant 7 of product 11"),
        (UnknownItems(7), "unknown items 7"),
        (UnknownItems(7, 9), "unknown items 7, 9"),
        (CurrencyMismatch(expected="CHF", actual="EUR"), "expected CHF, got EUR"),
        (
            ContextRequired(rule="voucher A", needs="the instant"),
            "voucher A needs the instant in the context",
        ),
    ],
)
def test_message_carries_the_values(error: FaregateError, message: str) -> None:
    assert str(error) == message


def test_invalid_values_are_attributes_too() -> None:
    currency, entry = UnknownCurrency("XYZ"), UnknownEntry("variant", 7)
    mismatch = CurrencyMismatch(expected="CHF", actual="EUR")
    context = ContextRequired(rule="voucher A", needs="the instant")

    assert currency.currency == "XYZ"
    assert (entry.kind, entry.name) == ("variant", 7)
    assert UnknownItems(7, 9).ids == (7, 9)
    assert (mismatch.expected, mismatch.actual) == ("CHF", "EUR")
    assert (context.rule, context.needs) == ("voucher A", "the instant")


@pytest.mark.parametrize(
    "error",
    [
        InvalidLines("one", "two"),
        InvalidOption("price_basis", "brutto", ["gross", "net"]),
        UnknownCurrency("XXX", "it has no minor unit"),
        UnknownEntry("variant", 7, "of product 11"),
        UnknownItems(7, 9),
        InvalidCheckout("not a basket", NO_PERSON),
        CheckoutConflict(TAKEN),
        CurrencyMismatch(expected="CHF", actual="EUR"),
        ContextRequired(rule="a rule", needs="the instant"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling(error: FaregateError) -> None:
    back = pickle.loads(pickle.dumps(error))

    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))
