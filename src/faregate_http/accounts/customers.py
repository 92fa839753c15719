"""Who buys: the account that a checkout is bound to, its persons, and what is known to be proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from faregate.checkout.requirements import Customer
from faregate_http.accounts.persons import answers_of
from faregate_http.store.records import PersonRow

if TYPE_CHECKING:
    from faregate.catalogue.channels import Channel
    from faregate_http.offers.forms import Values
    from faregate_http.store.contract import Store
    from faregate_http.store.records import AccountRow

_ADDRESSES = ("billingAddress", "shippingAddress")


async def customer_of(account: int | None, store: Store) -> Customer:
    """The customer whose account it is; nobody's where it is None.

    Raises:
        StoreUnavailable: the persons cannot be read.
    """
    if account is None:
        return Customer({})
    persons = await store.find(PersonRow, account=account)
    owner = next((person.id for person in persons if person.is_owner), None)
    return Customer({person.id: answers_of(person) for person in persons}, owner=owner)


async def defaults_of(account: AccountRow, channel: Channel, store: Store) -> Values:
    """What a form of *channel* may propose: the answers of the owner to it, and the addresses used last.

    Raises:
        StoreUnavailable: the owner cannot be read.
    """
    owners = await store.find(PersonRow, account=account.id, is_owner=True)
    answers = answers_of(owners[0]) if owners else {}
    asked = {field.name for field in channel.form}
    known = {name: answer for name, answer in answers.items() if name in asked}
    addresses = {name: value for name, value in _profile(account).items() if name in _ADDRESSES}
    return addresses | known


def with_addresses(account: AccountRow, values: Values) -> AccountRow:
    """*account* with the addresses among the *values* of a checkout, to be proposed again; or as it is."""
    known = _profile(account)
    profile = known | {name: values[name] for name in _ADDRESSES if name in values}
    if profile == known:
        return account
    return account._replace(revision=account.revision + 1, profile=msgspec.json.encode(profile).decode())


def _profile(account: AccountRow) -> Values:
    return msgspec.json.decode(account.profile, type=dict[str, Any])
