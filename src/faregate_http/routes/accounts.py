"""Operations on accounts: log in, look at it, have it deleted, say for whom it buys. Decisions §13."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from faregate_http.accounts.accounts import invalid_token, keys_unavailable
from faregate_http.accounts.person_forms import InvalidAnswers, PersonForm
from faregate_http.accounts.persons import PersonChange, unknown_person
from faregate_http.identity import InvalidToken, KeysUnavailable
from faregate_http.operations import Operation
from faregate_http.protocol.instants import from_millis, instant_text
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import parsed
from faregate_http.protocol.responses import NO_STORE, Response, json_headers
from faregate_http.schemas import accounts as wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from faregate_http.accounts.persons import PersonState
    from faregate_http.identity import AccessToken, Identity
    from faregate_http.protocol.idempotency import KeyedRequest
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Header
    from faregate_http.services import Services
    from faregate_http.store.records import AccountRow

_CURRENT = "/api/accounts/current"

_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)

_Send: TypeAlias = "Callable[[PersonChange], Awaitable[Response]]"

_encode = msgspec.json.Encoder().encode


# ---------------------------------------------------------------- accounts


async def _authenticate(request: Request, services: Services) -> Response:
    gatekeeper = services.accounts.gatekeeper
    body = parsed(await request.body(), wire.AuthenticateBody)
    identity = await _identified(body, request, services)
    # No response is stored: sent again it is another login, which takes back a deletion asked for since.
    done = await services.accounts.authenticate(identity, body.language, default=request.language)
    view = wire.AuthenticationView(wire.AuthenticationType(done.type), _account_view(done.account))
    response = _answered(wire.AuthenticationEnvelope(view), request)
    token = gatekeeper.issue(done.account.id)
    return response._replace(headers=(*response.headers, *_token_headers(token)))


async def _identified(body: wire.AuthenticateBody, request: Request, services: Services) -> Identity:
    services.login_throttle.check(request)
    try:
        return await services.accounts.gatekeeper.identity(body.id_token, nonce=body.nonce)
    except InvalidToken as error:
        services.login_throttle.failed(request)
        raise invalid_token(ErrorView(str(error), pointer="/idToken")) from None
    except KeysUnavailable:
        raise keys_unavailable() from None


def _token_headers(token: AccessToken) -> tuple[Header, ...]:
    return (
        (b"access-token", token.text.encode()),
        (b"access-token-expires-in", str(token.expires_in).encode()),
    )


async def _show(request: Request, services: Services) -> Response:
    return _account_answer(await services.accounts.required(request), request)


async def _schedule_deletion(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)

    async def run(_keyed: KeyedRequest | None) -> Response:
        """Schedule it: sent again with its key, it must not undo that somebody has logged in since."""
        return _account_answer(await services.accounts.schedule_deletion(account), request)

    response = await services.once(request, b"", run, account=account)
    # What is kept tells that it was done; what is shown is the account as it is now.
    current = await services.accounts.current(account)
    return response._replace(body=_account_answer(current, request).body)


def _account_answer(account: AccountRow, request: Request) -> Response:
    return _answered(wire.AccountEnvelope(_account_view(account)), request)


def _answered(view: msgspec.Struct, request: Request) -> Response:
    return Response(200, _encode(view), json_headers(request.language, NO_STORE))


def _account_view(account: AccountRow) -> wire.AccountView:
    profile: dict[str, Any] = msgspec.json.decode(account.profile)
    return wire.AccountView(
        id=account.id,
        email=account.email,
        type=wire.AccountType(account.type),
        language=wire.AccountLanguage(account.language),
        deleted_at=_instant(account.deleted_at),
        scheduled_for_deletion_after=_instant(account.due_at),
        company=profile.get("company"),
        meta_information=wire.MetaInformationView(
            accepted_newsletter=profile.get("acceptedNewsletter", False),
            sync_error_write=profile.get("syncErrorWrite", ""),
            sync_error_read=profile.get("syncErrorRead", ""),
            imported_data=wire.ImportedDataView(profile.get("importedFrom", "")),
        ),
    )


def _instant(millis: int | None) -> str | None:
    return None if millis is None else instant_text(from_millis(millis))


# ---------------------------------------------------------------- persons


async def _add_person(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)
    return await _posted(request, services, account, partial(services.persons.add, account))


async def _change_person(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)
    person_id = request.parameters["personId"]
    if not _NUMBER.fullmatch(person_id):
        raise unknown_person()
    return await _posted(
        request, services, account, partial(services.persons.change, account, int(person_id))
    )


async def _posted(request: Request, services: Services, account: AccountRow, send: _Send) -> Response:
    """Make the change that a body asks for, once however often it is sent with its key."""
    raw = await request.body()

    async def run(keyed: KeyedRequest | None) -> Response:
        """Make it."""
        body = parsed(raw, wire.PersonBody)
        form = _form(body.product_ids, services)
        change = PersonChange(form, body.values, partial(_person_answer, form=form, request=request), keyed)
        try:
            return await send(change)
        except InvalidAnswers as error:
            raise _invalid_person(error) from None

    return await services.once(request, raw, run, account=account)


def _form(product_ids: Sequence[int], services: Services) -> PersonForm:
    known = {product.id for product in services.catalogue.products}
    faults = [
        ErrorView("there is no such product", pointer=f"/productIds/{index}")
        for index, product_id in enumerate(product_ids)
        if product_id not in known
    ]
    if faults:
        raise Problem(422, "unknown-product", "There is no such product.", errors=faults)
    return PersonForm(services.catalogue, product_ids)


def _invalid_person(error: InvalidAnswers) -> Problem:
    faults = [ErrorView(fault.message, pointer=pointer_to(("values", *fault.loc))) for fault in error.located]
    return Problem(422, "invalid-person", "The form does not take these answers.", errors=faults)


def _person_answer(person: PersonState, *, form: PersonForm, request: Request) -> Response:
    view = wire.PersonView(
        id=person.id,
        account_id=person.account,
        form_definition=form.definition(request.language),
        default_values=person.defaults,
        values=person.values,
        is_owner=person.is_owner,
    )
    return _answered(wire.PersonEnvelope(view), request)


OPERATIONS = (
    Operation(
        method="POST",
        path="/api/accounts/authenticate",
        handler=_authenticate,
        name="authenticate",
        summary="Log in with an ID token; the first time, that opens an account.",
        answer=wire.AuthenticationEnvelope,
        body=wire.AuthenticateBody,
        keeps_answers=False,
        answer_headers={
            "access-token": "The token to go on with, as Authorization: Bearer.",
            "access-token-expires-in": "For how many seconds it is accepted.",
        },
    ),
    Operation(
        method="GET",
        path=_CURRENT,
        handler=_show,
        name="getAccount",
        summary="The account that is logged in.",
        answer=wire.AccountEnvelope,
        needs_account=True,
    ),
    Operation(
        method="POST",
        path=f"{_CURRENT}/schedule-deletion",
        handler=_schedule_deletion,
        name="scheduleDeletion",
        summary="Have the account deleted in 30 days; logging in takes that back.",
        answer=wire.AccountEnvelope,
        needs_account=True,
    ),
    Operation(
        method="POST",
        path=f"{_CURRENT}/persons",
        handler=_add_person,
        name="addPerson",
        summary="Add somebody for whom the account buys; the first is its owner.",
        answer=wire.PersonEnvelope,
        body=wire.PersonBody,
        needs_account=True,
    ),
    Operation(
        method="PATCH",
        path=f"{_CURRENT}/persons/{{personId}}",
        handler=_change_person,
        name="changePerson",
        summary="Answer questions about somebody for whom the account buys.",
        answer=wire.PersonEnvelope,
        body=wire.PersonBody,
        needs_account=True,
    ),
)
