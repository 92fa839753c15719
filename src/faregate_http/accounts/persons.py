"""The persons saved in an account, who can be checkout customers and are suggested in forms. Decisions §13.

Every change to a person increases the revision of the account in the same transaction. If two requests add
the first person at the same time, one succeeds and the other is processed again, now as the second person.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.form_fields import FieldKind
from faregate.catalogue.presentation.form_schema import DIALECT, fields_schema
from faregate.catalogue.presentation.person_form import asked_fields, composed_fields
from faregate.checkout.requirements import Customer
from faregate.errors import Issue
from faregate_http.accounts.accounts import Accounts, new_id
from faregate_http.offers.forms import Values, answer_issues, answers_validator, merged
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import Response
from faregate_http.store.contract import Store
from faregate_http.store.records import AccountRow, PersonRow

MOST_PERSONS = 100
"""Maximum number of persons per account."""

_OWNER_FIELD, _FAMILY_FIELD = "email", "lastName"


class PersonForm:
    """The form for a person who will use *products*, given as product ids.

    It has the catalogue's questions for every person and those of the products.
    """

    def __init__(self, catalogue: Catalogue, products: Iterable[int] = ()) -> None:
        asked = [asked_fields(catalogue.product(product)) for product in products]
        self._fields = composed_fields(catalogue.person_form, *asked)

    def definition(self, language: str) -> dict[str, Any]:
        """Return the JSON Schema of the answers, with titles in *language*."""
        return {"$schema": DIALECT, **fields_schema(self._fields, language)}

    def changed(self, values: Values, patch: Mapping[str, Any]) -> Values:
        """Return *values* with *patch* merged in (RFC 7396); answers to questions of other forms are kept.

        Raises:
            Problem: 422, the form rejects answers, or answers are missing; the problem lists all of them.
        """
        names = {field.name for field in self._fields}
        kept = {name: value for name, value in values.items() if name not in names}
        answers = merged({name: value for name, value in values.items() if name in names}, patch)
        unknown = [name for name, value in patch.items() if value is None and name not in names]
        faults = [
            *answer_issues(answers_validator(self.definition("en")), answers),
            *(Issue((name,), "unknown question") for name in unknown),
            *self._unanswered(answers),
        ]
        if faults:
            errors = [
                ErrorView(fault.message, pointer=pointer_to(("values", *fault.loc))) for fault in faults
            ]
            raise Problem(422, "invalid-person", errors=errors)
        return kept | {field.name: answers[field.name] for field in self._fields if field.name in answers}

    def _unanswered(self, answers: Values) -> Iterable[Issue]:
        missing = (field for field in self._fields if field.required and field.name not in answers)
        return (Issue((field.name,), "is missing") for field in missing)

    def defaults_of_owner(self, email: str) -> Values:
        """Return suggested answers about an account owner with the email address *email*."""
        asked = {field.name for field in self._fields if field.kind is FieldKind.EMAIL}
        return {_OWNER_FIELD: email} if email and _OWNER_FIELD in asked else {}

    def defaults_of_others(self, owner: Values) -> Values:
        """Return suggested answers about another person: the family name in *owner*, the owner's answers."""
        asked = {field.name for field in self._fields}
        return {name: owner[name] for name in (_FAMILY_FIELD,) if name in asked and name in owner}


class Household(NamedTuple):
    """An account and its persons, in their current state."""

    account: AccountRow
    persons: Sequence[PersonRow]

    @property
    def owner(self) -> PersonRow | None:
        """The person who owns the account, or None if the account has no persons."""
        return next((person for person in self.persons if person.is_owner), None)

    def new_person(self, at: datetime) -> PersonRow:
        """Return a new person, not yet saved; the first person of an account is its owner.

        Raises:
            Problem: 409, the account has the maximum number of persons.
        """
        if len(self.persons) >= MOST_PERSONS:
            raise Problem(409, "too-many-persons")
        return PersonRow(new_id(), 0, millis(at), self.account.id, self.owner is None, "{}")

    def person(self, person_id: int | None) -> PersonRow:
        """Return the person with the id *person_id*.

        Raises:
            Problem: 404, the account does not have this person.
        """
        for person in self.persons:
            if person.id == person_id:
                return person
        # The response is the same for a person of another account, so that ids reveal nothing.
        raise Problem(404, "unknown-person")

    def defaults(self, person: PersonRow, form: PersonForm) -> Values:
        """Return suggested answers about *person* to the questions in *form*."""
        if person.is_owner or self.owner is None:
            return form.defaults_of_owner(self.account.email)
        return form.defaults_of_others(answers_of(self.owner))


@dataclass(eq=False)
class Persons:
    """The persons saved in the accounts of a store."""

    store: Store
    accounts: Accounts
    clock: Callable[[], datetime]

    async def household(self, account: AccountRow) -> Household:
        """Load *account* and its persons in their current state.

        Raises:
            Problem: 401, the account has since been erased.
        """
        current = await self.accounts.current(account)
        return Household(current, await self.store.find(PersonRow, account=account.id))

    async def save(
        self,
        household: Household,
        person: PersonRow,
        values: Values,
        response: Response,
        request: Request,
    ) -> Response:
        """Save *values* durably as the answers of *person*, and return *response*.

        The response is stored under the Idempotency-Key of *request* in the same transaction.
        """
        if person.revision and values == answers_of(person):
            return response
        answers = msgspec.json.encode(values).decode()
        row = person._replace(revision=person.revision + 1, answers=answers)
        account = household.account
        await self.store.save(
            None,
            request.keyed and request.keyed.stored(response, self.clock()),
            records=[account._replace(revision=account.revision + 1), row],
        )
        return response._replace(is_stored=request.keyed is not None)


def answers_of(person: PersonRow) -> Values:
    """Return the answers of *person* as the interface shows them, keyed by question."""
    return msgspec.json.decode(person.answers, type=dict[str, Any])


_ADDRESSES = ("billingAddress", "shippingAddress")
_NEWSLETTER = "newsletter"
"""Name of a channel's yes-or-no question that asks for consent to a newsletter."""


async def customer_of(account: int | None, store: Store) -> Customer:
    """Return the customer for *account*, or an anonymous customer for None.

    Raises:
        StoreUnavailable: the persons cannot be read.
    """
    if account is None:
        return Customer({})
    persons = await store.find(PersonRow, account=account)
    owner = next((person.id for person in persons if person.is_owner), None)
    return Customer({person.id: answers_of(person) for person in persons}, owner=owner)


async def defaults_of(account: AccountRow, channel: Channel, store: Store) -> Values:
    """Return suggested answers to *channel*'s checkout form: the owner's answers and the last-used addresses.

    Raises:
        StoreUnavailable: the owner cannot be read.
    """
    owners = await store.find(PersonRow, account=account.id, is_owner=True)
    answers = answers_of(owners[0]) if owners else {}
    asked = {field.name for field in channel.form}
    known = {name: answer for name, answer in answers.items() if name in asked}
    addresses = {name: value for name, value in _profile(account).items() if name in _ADDRESSES}
    return addresses | known


def with_answers(account: AccountRow, values: Values) -> AccountRow:
    """Return *account* with the addresses and newsletter consent from *values*, a checkout's answers."""
    known = _profile(account)
    profile = known | {name: values[name] for name in _ADDRESSES if name in values}
    if isinstance(values.get(_NEWSLETTER), bool):
        profile["acceptedNewsletter"] = values[_NEWSLETTER]
    if profile == known:
        return account
    return account._replace(revision=account.revision + 1, profile=msgspec.json.encode(profile).decode())


def _profile(account: AccountRow) -> Values:
    return msgspec.json.decode(account.profile, type=dict[str, Any])
