"""Access to channels: explicit settings, defaults by type, and faults."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from faregate.catalogue.channels import Channel, ChannelAccess, ChannelKey, ChannelType
from faregate.catalogue.entries import Entries
from faregate.errors import InvalidOption
from support.shops.refused_catalogues import faults_of

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
KEY = ChannelKey(name="till", sha256="0" * 64)
PUBLIC, PROTECTED = ChannelAccess.PUBLIC, ChannelAccess.PROTECTED
WEB, POS, CONSUMPTION = ChannelType.WEB, ChannelType.POS, ChannelType.CONSUMPTION


def channel(**overrides: Any) -> Channel:
    return replace(Channel(uuid="x", name="X", type=WEB, currency="CHF"), **overrides)


def faults(**overrides: Any) -> list[str]:
    return [str(fault) for fault in faults_of(Entries(channels=(channel(**overrides),)))]


@pytest.mark.parametrize(
    ("kind", "access", "is_protected"),
    [
        (WEB, None, False),
        (POS, None, True),
        (CONSUMPTION, None, True),
        *((kind, PUBLIC, False) for kind in ChannelType),
        *((kind, PROTECTED, True) for kind in ChannelType),
    ],
)
def test_a_channel_is_protected_by_its_setting_or_by_its_type(
    kind: ChannelType, access: ChannelAccess | None, is_protected: bool
) -> None:
    assert channel(type=kind, access=access).is_protected == is_protected


@pytest.mark.parametrize(("kind", "access"), [*product(ChannelType, (None, *ChannelAccess))])
def test_a_channel_with_payment_on_site_is_always_protected(
    kind: ChannelType, access: ChannelAccess | None
) -> None:
    assert channel(type=kind, access=access, can_pay_on_site=True).is_protected


def test_access_may_be_the_exact_text_of_an_option() -> None:
    assert channel(access="protected").access is PROTECTED
    with pytest.raises(InvalidOption, match="access is 'Protected', expected 'public' or 'protected'"):
        channel(access="Protected")


@pytest.mark.parametrize(
    ("overrides", "fault"),
    [
        ({"type": CONSUMPTION}, "channels[0].access: required on a CONSUMPTION channel: "),
        ({"type": CONSUMPTION, "can_pay_on_site": True}, "channels[0].access: required on a "),
        ({"access": PUBLIC, "can_pay_on_site": True}, "channels[0].access: expected 'protected'"),
        ({"keys": (KEY,)}, "channels[0].keys: not allowed on a public channel"),
        ({"type": POS, "keys": (KEY, KEY)}, "channels[0].keys[1].name: 'till' is used twice"),
    ],
)
def test_contradictory_or_missing_channel_access_is_reported(overrides: dict[str, Any], fault: str) -> None:
    (found,) = faults(**overrides)

    assert found.startswith(fault)


@pytest.mark.parametrize(
    "overrides",
    [
        {"type": POS, "access": PUBLIC},
        {"can_pay_on_site": True, "keys": (KEY, replace(KEY, name="next"))},
    ],
)
def test_consistent_channel_access_has_no_issues(overrides: dict[str, Any]) -> None:
    assert not faults(**overrides)


def test_a_key_is_valid_until_just_before_its_end() -> None:
    ending = replace(KEY, ends_at=NOON)

    assert KEY.is_live(NOON)
    assert ending.is_live(NOON - timedelta(microseconds=1))
    assert not ending.is_live(NOON)
