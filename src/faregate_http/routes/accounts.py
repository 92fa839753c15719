"""Account operations: login, account data, deletion and persons. Decisions §13."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from faregate_http.accounts.accounts import invalid_token, keys_unavailable
from faregate_http.accounts.persons import Household, PersonForm, answers_of
from faregate_http.identity import Identity, InvalidToken, KeysUnavailable
from faregate_http.offers.forms import Values
from faregate_http.operations import ForAccount, Operation
from faregate_http.protocol.instants import from_millis, instant_text
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.schemas import accounts as wire
from faregate_http.services import Services
from faregate_http.store.records import AccountRow, PersonRow

_CURRENT = "/api/accounts/current"


# ---------------------------------------------------------------- accounts


async def _authenticate(request: Request, services: Services) -> Response:
    gatekeeper = services.accounts.gatekeeper
    body = await request.model(wire.AuthenticateBody)
    identity = await _identified(body, request, services)
    # Not stored: a repeated request is a new login, which cancels any deletion scheduled in between.
    kind, account = await services.accounts.authenticate(identity, body.language, default=request.language)
    view = wire.AuthenticationView(wire.AuthenticationType(kind), await _account_view(account, services))
    response = json_response(wire.AuthenticationEnvelope(view), NO_STORE, language=request.language)
    text, expires_in = gatekeeper.issue(account.id, customer_groups=identity.customer_groups)
    token = (b"access-token", text.encode()), (b"access-token-expires-in", str(expires_in).encode())
    return response._replace(headers=(*response.headers, *token))


async def _identified(body: wire.AuthenticateBody, request: Request, services: Services) -> Identity:
    await services.login_throttle.check(request)
    try:
        return await services.accounts.gatekeeper.identity(body.id_token, nonce=body.nonce)
    except InvalidToken as error:
        await services.login_throttle.failed(request)
        raise invalid_token(ErrorView(str(error), pointer="/idToken")) from None
    except KeysUnavailable:
        raise keys_unavailable() from None


async def _show(request: Request, services: Services, account: AccountRow) -> Response:
    view = await _account_view(account, services)
    return json_response(wire.AccountEnvelope(view), NO_STORE, language=request.language)


async def _schedule_deletion(request: Request, services: Services, account: AccountRow) -> Response:
    # A repeat with the same key must not undo a login made in the meantime.
    return await _show(request, services, await services.accounts.schedule_deletion(account))


async def _show_current(request: Request, services: Services, account: AccountRow) -> Response:
    return await _show(request, services, await services.accounts.current(account))


async def _account_view(account: AccountRow, services: Services) -> wire.AccountView:
    persons = await services.store.find(PersonRow, account=account.id)
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
        person_ids=[person.id for person in sorted(persons, key=attrgetter("is_owner"), reverse=True)],
    )


def _instant(millis: int | None) -> str | None:
    return None if millis is None else instant_text(from_millis(millis))


# ---------------------------------------------------------------- persons


async def _add_person(request: Request, services: Services, account: AccountRow) -> Response:
    return await _answer(request, services, account, lambda household: household.new_person(services.clock()))


async def _change_person(request: Request, services: Services, account: AccountRow) -> Response:
    person_id = request.path_number("personId")
    return await _answer(request, services, account, lambda household: household.person(person_id))


async def _answer(
    request: Request, services: Services, account: AccountRow, person_of: Callable[[Household], PersonRow]
) -> Response:
    body, form = await _person_form(request, services)
    household = await services.persons.household(account)
    person = person_of(household)
    values = form.changed(answers_of(person), body.values)
    response = _person_response(household, person, values, form=form, language=request.language)
    return await services.persons.save(household, person, values, response, request)


async def _person_form(request: Request, services: Services) -> tuple[wire.PersonBody, PersonForm]:
    body = await request.model(wire.PersonBody)
    known = {product.id for product in services.catalogue.products if request.channel.sells(product)}
    unknown = [
        ErrorView("unknown product", pointer=f"/productIds/{index}")
        for index, product_id in enumerate(body.product_ids)
        if product_id not in known
    ]
    if unknown:
        raise Problem(422, "unknown-product", errors=unknown)
    return body, PersonForm(services.catalogue, body.product_ids)


def _person_response(
    household: Household, person: PersonRow, values: Values, *, form: PersonForm, language: str
) -> Response:
    view = wire.PersonView(
        id=person.id,
        account_id=person.account,
        form_definition=form.definition(language),
        default_values=household.defaults(person, form),
        values=values,
        is_owner=person.is_owner,
    )
    return json_response(wire.PersonEnvelope(view), NO_STORE, language=language)


OPERATIONS = (
    Operation(
        method="POST",
        path="/api/accounts/authenticate",
        handler=_authenticate,
        name="authenticate",
        summary="Log in with an ID token and, the first time, open an account.",
        answer=wire.AuthenticationEnvelope,
        body=wire.AuthenticateBody,
        keeps_answers=False,
        answer_headers={
            "access-token": "Access token for the header `authorization: Bearer`.",
            "access-token-expires-in": "Lifetime of the access token in seconds.",
        },
    ),
    Operation(
        method="GET",
        path=_CURRENT,
        handler=ForAccount(_show),
        name="getAccount",
        summary="Get the account that is logged in.",
        answer=wire.AccountEnvelope,
    ),
    Operation(
        method="POST",
        path=f"{_CURRENT}/schedule-deletion",
        handler=ForAccount(_schedule_deletion, current=_show_current),
        name="scheduleDeletion",
        summary="Schedule the deletion of the account in 30 days. Logging in cancels it.",
        answer=wire.AccountEnvelope,
    ),
    Operation(
        method="POST",
        path=f"{_CURRENT}/persons",
        handler=ForAccount(_add_person),
        name="addPerson",
        summary="Add a person to the account. The first person is the owner.",
        answer=wire.PersonEnvelope,
        body=wire.PersonBody,
    ),
    Operation(
        method="PATCH",
        path=f"{_CURRENT}/persons/{{personId}}",
        handler=ForAccount(_change_person),
        name="changePerson",
        summary="Answer questions about a person of the account.",
        answer=wire.PersonEnvelope,
        body=wire.PersonBody,
    ),
)
