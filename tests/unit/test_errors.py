"""The error hierarchy: codes that may be stored, messages that carry the values."""

import pickle

import pytest

from faregate import errors
from faregate.errors import (
    ContextRequired,
    CurrencyMismatch,
    FaregateError,
    InvalidAmount,
    InvalidCatalogue,
    InvalidCheckout,
    InvalidDiscount,
    InvalidInput,
    InvalidLines,
    InvalidPeriod,
    InvalidRate,
    InvalidVoucher,
    InvalidWeights,
    Unknown,
    UnknownCurrency,
    UnknownEntry,
)

HIERARCHY: list[tuple[type[FaregateError], str, type[Exception]]] = [
    (FaregateError, "error", Exception),
    (InvalidInput, "invalid-input", ValueError),
    (InvalidAmount, "invalid-amount", InvalidInput),
    (InvalidRate, "invalid-rate", InvalidInput),
    (InvalidWeights, "invalid-weights", InvalidInput),
    (InvalidPeriod, "invalid-period", InvalidInput),
    (InvalidLines, "invalid-lines", InvalidInput),
    (InvalidDiscount, "invalid-discount", InvalidInput),
    (InvalidVoucher, "invalid-voucher", InvalidInput),
    (InvalidCatalogue, "invalid-catalogue", InvalidInput),
    (InvalidCheckout, "invalid-checkout", InvalidInput),
    (Unknown, "unknown", LookupError),
    (UnknownCurrency, "unknown-currency", Unknown),
    (UnknownEntry, "unknown-entry", Unknown),
    (CurrencyMismatch, "currency-mismatch", FaregateError),
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
    assert {kind.__name__ for kind, _, _ in HIERARCHY} == set(errors.__all__)
    assert len({code for _, code, _ in HIERARCHY}) == len(HIERARCHY)


def test_invalid_input_keeps_its_faults_apart_and_reads_as_one_sentence() -> None:
    error = InvalidLines("line 1: no price", "line 2: no rate")

    assert error.faults == ("line 1: no price", "line 2: no rate")
    assert str(error) == "line 1: no price; line 2: no rate"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (UnknownCurrency("XYZ"), "unknown currency 'XYZ'"),
        (UnknownCurrency("chf", "write 'CHF'"), "unknown currency 'chf': write 'CHF'"),
        (UnknownEntry("variant", 7), "unknown variant 7"),
        (UnknownEntry("channel", "web"), "unknown channel 'web'"),
        (CurrencyMismatch(expected="CHF", actual="EUR"), "expected CHF, got EUR"),
        (
            ContextRequired(rule="voucher A", needs="the instant"),
            "voucher A needs the instant in the context",
        ),
    ],
)
def test_message_carries_the_values(error: FaregateError, message: str) -> None:
    assert str(error) == message


def test_values_at_fault_are_attributes_too() -> None:
    currency, entry = UnknownCurrency("XYZ"), UnknownEntry("variant", 7)
    mismatch = CurrencyMismatch(expected="CHF", actual="EUR")
    context = ContextRequired(rule="voucher A", needs="the instant")

    assert currency.currency == "XYZ"
    assert (entry.kind, entry.name) == ("variant", 7)
    assert (mismatch.expected, mismatch.actual) == ("CHF", "EUR")
    assert (context.rule, context.needs) == ("voucher A", "the instant")


@pytest.mark.parametrize(
    "error",
    [
        InvalidLines("one", "two"),
        UnknownCurrency("XXX", "it has no minor unit"),
        UnknownEntry("variant", 7),
        CurrencyMismatch(expected="CHF", actual="EUR"),
        ContextRequired(rule="a rule", needs="the instant"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_back_from_another_process_as_it_was(error: FaregateError) -> None:
    back = pickle.loads(pickle.dumps(error))

    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))
