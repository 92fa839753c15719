"""Currencies compared with the published tables: ISO 4217 of 2026-01-01 and CLDR release 47."""

import re
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import UnknownCurrency
from faregate.money._iso4217 import MINOR_UNITS, WITHDRAWN, WITHOUT_MINOR_UNIT
from faregate.money.currency import (
    _CASH_STEPS,
    Currency,
    WithdrawnCurrency,
    currency,
    withdrawn_currency,
)

ACTIVE = [code for codes in MINOR_UNITS.values() for code in codes.split()]
NO_MINOR_UNIT = WITHOUT_MINOR_UNIT.split()
WITHDRAWN_CODES = [row[:3] for row in WITHDRAWN.strip().splitlines()]


def test_every_code_is_three_upper_case_letters() -> None:
    listed = ACTIVE + NO_MINOR_UNIT + WITHDRAWN_CODES

    assert [code for code in listed if not re.fullmatch("[A-Z]{3}", code)] == []


def test_no_code_is_listed_twice() -> None:
    listed = ACTIVE + NO_MINOR_UNIT + WITHDRAWN_CODES

    assert sorted(set(listed)) == sorted(listed)


@pytest.mark.parametrize("codes", [*map(str.split, MINOR_UNITS.values()), NO_MINOR_UNIT, WITHDRAWN_CODES])
def test_tables_are_sorted(codes: list[str]) -> None:
    assert codes == sorted(codes)


def test_list_one_holds_178_codes_of_which_13_have_no_minor_unit() -> None:
    # Counted in list one as published on 2026-01-01.
    counts = {exponent: len(codes.split()) for exponent, codes in MINOR_UNITS.items()}

    assert counts == {0: 17, 2: 139, 3: 7, 4: 2}
    assert len(NO_MINOR_UNIT) == 13
    assert len(ACTIVE) + len(NO_MINOR_UNIT) == 178


def test_list_three_holds_129_codes_that_are_no_longer_active() -> None:
    # 137 codes in list three of 2026-01-01, less eight listed only for a former name or country.
    assert len(WITHDRAWN_CODES) == 137 - 8


def test_a_major_unit_is_payable_in_whole_cash_steps() -> None:
    for code in ACTIVE:
        unit = currency(code)

        assert unit.code == code
        assert 10**unit.exponent % unit.cash_increment == 0, code


def test_every_cash_step_belongs_to_an_active_code() -> None:
    stepped = [*chain.from_iterable(codes.split() for codes in _CASH_STEPS.values())]

    assert len(stepped) == len(set(stepped)) == 31
    assert {code for code in ACTIVE if currency(code).cash_increment > 1} == set(stepped)


def test_every_withdrawn_code_has_a_name_and_a_month() -> None:
    month = "(19[7-9]|20[0-2])[0-9](-(0[1-9]|1[0-2]))"
    for code in WITHDRAWN_CODES:
        old = withdrawn_currency(code)

        assert old.code == code
        assert old.name == " ".join(old.name.split()) != "", code
        assert re.fullmatch(f"{month}|{month}?/{month}?", old.withdrawn), code
        assert old.withdrawn <= "2026-01", code


def test_decimals_are_known_for_codes_withdrawn_since_december_2012() -> None:
    known = {code for code in WITHDRAWN_CODES if withdrawn_currency(code).exponent is not None}
    left_since = {code for code in WITHDRAWN_CODES if withdrawn_currency(code).withdrawn >= "2012-12"}

    assert known == left_since - {"XFU"}  # the UIC franc had no minor unit


@given(st.text(max_size=4) | st.from_regex("[A-Z]{3}", fullmatch=True))
def test_a_code_is_active_or_withdrawn_or_refused_by_both(code: str) -> None:
    assert _answers(code) in ([], [Currency], [WithdrawnCurrency])


def _answers(code: str) -> list[type]:
    answers = []
    for look_up in (currency, withdrawn_currency):
        try:
            answers.append(type(look_up(code)))
        except UnknownCurrency as error:
            assert error.currency == code  # noqa: PT017  every code that is refused is named
    return answers


# MGA is divided by five in practice, the sen of IDR is out of use: the standard has two decimals. The last
# codes of a row are funds.
EXPONENTS = {
    0: "JPY KRW VND CLP ISK PYG UGX XOF XAF XPF UYI",
    2: "EUR USD MGA MRU IDR BOV CHE CHW COU MXV USN",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_exponent_is_the_minor_unit_of_list_one(exponent: int) -> None:
    assert [code for code in EXPONENTS[exponent].split() if currency(code).exponent != exponent] == []


@pytest.mark.parametrize(
    ("amendment", "code"),
    [(170, "VED"), (171, "SLE"), (176, "XCG"), (177, "ZWG"), (179, "XAD")],
)
def test_codes_of_recent_amendments_are_active(amendment: int, code: str) -> None:
    assert currency(code).exponent == 2, f"amendment {amendment}"


@pytest.mark.parametrize(
    "code", ["XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XBD", "XTS", "XXX"]
)
def test_codes_without_a_minor_unit_are_refused(code: str) -> None:
    with pytest.raises(UnknownCurrency, match=f"^unknown currency '{code}': it has no minor unit$"):
        currency(code)


@pytest.mark.parametrize("code", ["chf", "Chf", " CHF", "CHF ", "CHF\n"])
def test_codes_must_be_exact_and_the_error_suggests_one(code: str) -> None:
    with pytest.raises(UnknownCurrency, match=r"write 'CHF'$"):
        currency(code)


@pytest.mark.parametrize("code", ["", "CH", "CHFR", "ZZZ", "756", "€", "CНF"])  # noqa: RUF001  Cyrillic En
def test_nonsense_is_refused_by_both(code: str) -> None:
    for look_up in (currency, withdrawn_currency):
        with pytest.raises(UnknownCurrency, match=r"^unknown currency '[^']*'$"):
            look_up(code)


@pytest.mark.parametrize("code", [None, 756, 1.5, True, b"CHF", ("CHF",), ["CHF"], {"CHF": 1}])
def test_a_code_that_is_not_text_is_refused_by_both(code: object) -> None:
    for look_up in (currency, withdrawn_currency):
        with pytest.raises(UnknownCurrency, match=r"expected text$") as raised:
            look_up(code)  # type: ignore[arg-type]
        assert raised.value.currency == code


@pytest.mark.parametrize(
    ("code", "name", "exponent", "withdrawn"),
    [
        ("BGN", "Bulgarian Lev", 2, "2026-01"),  # amendment 180
        ("CUC", "Peso Convertible", 2, "2021-06"),  # amendment 178
        ("ZWL", "Zimbabwe Dollar", 2, "2024-09"),  # amendment 177
        ("ANG", "Netherlands Antillean Guilder", 2, "2025-03"),  # amendment 176
        ("HRK", "Kuna", 2, "2023-01"),  # amendment 174
        ("SLL", "Leone", 2, "2023-12"),
        ("VEF", "Bolívar", 2, "2018-08"),  # three rows in list three: the latest counts
        ("BYR", "Belarusian Ruble", 0, "2017-01"),
        ("DEM", "Deutsche Mark", None, "2002-03"),
        ("RUR", "Russian Ruble", None, "2004-01"),  # twelve countries, the last one out
        ("XEU", "European Currency Unit (E.C.U)", None, "1999-01"),
        ("ILR", "Old Shekel", None, "1989/1990"),
        ("DDM", "Mark der DDR", None, "1990-07/1990-09"),
    ],
)
def test_withdrawn_currency_is_the_entry_of_list_three(
    code: str, name: str, exponent: int | None, withdrawn: str
) -> None:
    assert withdrawn_currency(code) == WithdrawnCurrency(
        code=code, name=name, exponent=exponent, withdrawn=withdrawn
    )


def test_a_withdrawn_code_is_refused_with_the_month_of_its_withdrawal() -> None:
    for code in WITHDRAWN_CODES:
        old = withdrawn_currency(code)

        with pytest.raises(UnknownCurrency) as raised:
            currency(code)

        assert str(raised.value) == f"unknown currency {code!r}: {old.name}, withdrawn {old.withdrawn}"


# In list three because of a former name (MWK PEN RON SZL TRY) or a country that left (EUR IDR SDG).
@pytest.mark.parametrize("code", ["EUR", "IDR", "MWK", "PEN", "RON", "SDG", "SZL", "TRY", "CHF", "XAU"])
def test_a_code_in_use_is_not_withdrawn(code: str) -> None:
    with pytest.raises(UnknownCurrency, match=r"it is still in use$"):
        withdrawn_currency(code)


@pytest.mark.parametrize(
    ("codes", "cash_increment"),
    [
        ("CHF CAD", 5),  # cashRounding, in units of two digits
        ("DKK", 50),
        ("SEK NOK CZK HUF TWD", 100),  # cashDigits 0
        ("AFN RSD", 100),  # digits 0, where the standard has two or three
        ("IQD", 1000),
        ("EUR GBP USD KWD JPY ISK CLF", 1),  # no entry, or an entry equal to the standard's minor unit
    ],
)
def test_cash_increment_is_the_step_of_cldr_in_minor_units(codes: str, cash_increment: int) -> None:
    assert {currency(code).cash_increment for code in codes.split()} == {cash_increment}


def test_a_caller_may_set_another_cash_step_without_touching_the_table() -> None:
    five_forint = replace(currency("HUF"), cash_increment=500)

    assert five_forint == Currency("HUF", exponent=2, cash_increment=500)
    assert currency("HUF").cash_increment == 100
