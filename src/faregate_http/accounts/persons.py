"""Persons in the store: those whom an account buys for, the first of whom is its owner. Decisions §13.

Every change of a person moves its account on to the next revision, in the same transaction: of two first
persons one is saved, and decided on again the other finds that it is the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from faregate_http.accounts.accounts import new_id
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import Problem
from faregate_http.retries import Retries
from faregate_http.store.records import PersonRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from faregate_http.accounts.accounts import Accounts
    from faregate_http.accounts.person_forms import PersonForm
    from faregate_http.offers.forms import Values
    from faregate_http.protocol.idempotency import KeyedRequest
    from faregate_http.protocol.responses import Response
    from faregate_http.store.contract import Store
    from faregate_http.store.records import AccountRow

MOST_PERSONS = 100
"""More no account has."""


class PersonState(NamedTuple):
    """A person as it is saved, and what the account knows to propose for it."""

    id: int
    account: int
    is_owner: bool
    values: Values
    defaults: Values


class PersonChange(NamedTuple):
    """Answers to *form*, merged into those there are; how that is answered, and for which keyed request."""

    form: PersonForm
    patch: Mapping[str, Any]
    render: Callable[[PersonState], Response]
    keyed: KeyedRequest | None = None


class Persons:
    """The persons of a store."""

    def __init__(self, store: Store, accounts: Accounts, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._accounts = accounts
        self._clock = clock
        self._retries = Retries()

    async def add(self, account: AccountRow, change: PersonChange) -> Response:
        """Make a new person of *account* and answer it; durable before it is answered.

        Raises:
            Problem: 409, the account has as many as it may have.
            InvalidAnswers: the form does not take the answers.
        """

        def new(persons: Sequence[PersonRow]) -> PersonRow:
            """One more person beside those there are."""
            if len(persons) >= MOST_PERSONS:
                raise Problem(409, "too-many-persons", f"An account has at most {MOST_PERSONS} persons.")
            is_owner = not any(person.is_owner for person in persons)
            return PersonRow(new_id(), 0, millis(self._clock()), account.id, is_owner, "{}")

        return await self._saved(account, new, change)

    async def change(self, account: AccountRow, person_id: int, change: PersonChange) -> Response:
        """Give a person of *account* other answers, and answer it; durable before it is answered.

        Raises:
            Problem: 404, the account has no such person.
            InvalidAnswers: the form does not take the answers.
        """

        def known(persons: Sequence[PersonRow]) -> PersonRow:
            """The one of that id."""
            for person in persons:
                if person.id == person_id:
                    return person
            raise unknown_person()

        return await self._saved(account, known, change)

    async def _saved(
        self, account: AccountRow, choose: Callable[[Sequence[PersonRow]], PersonRow], change: PersonChange
    ) -> Response:
        async def decide() -> Response:
            """Decide on the account and the persons as they are now."""
            current = await self._accounts.current(account)
            persons = await self._store.find(PersonRow, account=account.id)
            return await self._decided(current, persons, choose(persons), change)

        return await self._retries.until_saved(str(account.id), decide)

    async def _decided(
        self, account: AccountRow, persons: Sequence[PersonRow], before: PersonRow, change: PersonChange
    ) -> Response:
        values = change.form.changed(answers_of(before), change.patch)
        response = change.render(_state(account, persons, before, values=values, form=change.form))
        if before.revision and values == answers_of(before):
            return response
        row = before._replace(revision=before.revision + 1, answers=_encode(values).decode())
        moved_on = account._replace(revision=account.revision + 1)
        kept = change.keyed and change.keyed.kept(response, self._clock())
        await self._store.save(None, kept, records=[moved_on, row])
        return response._replace(is_stored=change.keyed is not None)


_encode = msgspec.json.Encoder().encode


def answers_of(person: PersonRow) -> Values:
    """What a person has answered, as it is on the wire."""
    return msgspec.json.decode(person.answers, type=dict[str, Any])


def _state(
    account: AccountRow, persons: Sequence[PersonRow], person: PersonRow, *, values: Values, form: PersonForm
) -> PersonState:
    owner = next((other for other in persons if other.is_owner), None)
    if person.is_owner or owner is None:
        defaults = form.defaults_of_owner(account.email)
    else:
        defaults = form.defaults_of_others(answers_of(owner))
    return PersonState(person.id, account.id, person.is_owner, values, defaults)


def unknown_person() -> Problem:
    """What is answered to the id of a person of nobody, or of another account: whose is nobody's business."""
    return Problem(404, "unknown-person", "This account has no such person.")
