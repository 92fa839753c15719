"""Limits of a checkout on a public channel: its units, and its expiry when capacity is scarce."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import bind_account, check_units, units_of
from faregate.checkout.expiry import checkout_expiry
from faregate.checkout.model import Checkout, Component, ComponentSource
from faregate.errors import InvalidCheckout, IssueCode
from support.checkouts.asked_items import EMPTY, added, lunches
from support.shops.small_shop import DESK, NOW, RESORT, WEB

THREE_AT_MOST = replace(WEB, max_units=3)
SHOP: Catalogue = replace(RESORT, channels=(THREE_AT_MOST, DESK))


def of_units(units: int) -> Checkout:
    return added(EMPTY, *lunches(*range(1, units + 1))) if units else EMPTY


def test_a_checkout_may_have_as_many_units_as_its_channel_allows() -> None:
    check_units(of_units(3), EMPTY, catalogue=SHOP)


@pytest.mark.parametrize("before", [0, 3], ids=["all at once", "one after the others"])
def test_a_checkout_without_an_account_cannot_exceed_the_unit_limit(before: int) -> None:
    with pytest.raises(InvalidCheckout) as caught:
        check_units(of_units(4), of_units(before), catalogue=SHOP)

    (fault,) = caught.value.issues
    assert fault.code is IssueCode.TOO_MANY_UNITS
    assert fault.message == "a checkout without an account has at most 3 units, got 4"


@pytest.mark.parametrize("units", [4, 5], ids=["fewer", "as many"])
def test_a_checkout_that_already_exceeds_the_limit_may_keep_its_units(units: int) -> None:
    check_units(of_units(units), of_units(5), catalogue=SHOP)


def test_the_unit_limit_does_not_apply_to_accounts_or_protected_channels() -> None:
    check_units(bind_account(of_units(4), 7), EMPTY, catalogue=SHOP)
    check_units(replace(of_units(4), channel=DESK.uuid), EMPTY, catalogue=SHOP)


def test_components_are_not_units() -> None:
    (lunch,) = of_units(1).items
    component = lunch._replace(id=2, parent=1, component=Component(ComponentSource.MEDIUM, 0))

    assert units_of(Checkout("web", (lunch, component))) == 1


@pytest.mark.parametrize(
    ("minutes", "short", "expected"), [(30, 10, 10), (30, 45, 30), (5, 10, 5)], ids=["short", "long", "both"]
)
def test_when_places_are_scarce_a_checkout_expires_at_the_earlier_time(
    minutes: int, short: int, expected: int
) -> None:
    channel = replace(
        WEB, expires_after=timedelta(minutes=minutes), expires_when_scarce=timedelta(minutes=short)
    )

    expiry = checkout_expiry(channel, started_at=NOW, changed_at=NOW, is_scarce=True)

    assert expiry == NOW + timedelta(minutes=expected)
    usual = checkout_expiry(channel, started_at=NOW, changed_at=NOW)
    assert usual == NOW + timedelta(minutes=minutes)
