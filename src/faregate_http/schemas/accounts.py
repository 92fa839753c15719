"""Bodies and answers of the account operations, with the names and types of the specification."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from faregate_http.schemas.base import Body, CatalogueId, Envelope, Instant, View, ViewId

Language: TypeAlias = Literal["en", "de", "fr", "it"]


class AuthenticateBody(Body):
    """An OpenID Connect ID token, and for which nonce it was asked, if for one.

    The account will speak ``language``; without it a new one that of the request.
    """

    id_token: Annotated[str, StringConstraints(min_length=1, max_length=16_384)]
    language: Language | None = None
    nonce: Annotated[str, StringConstraints(min_length=1, max_length=255)] | None = None


class PersonBody(Body):
    """Answers to the form of a person, merged into those there are (RFC 7396: null removes one).

    ``productIds`` are the products whose questions are asked beside those that everyone is asked.
    """

    values: Annotated[dict[str, Any], Field(max_length=200)]
    product_ids: list[CatalogueId] = Field(default=[], max_length=100)


class AccountType(Enum):
    """Whose an account is."""

    CUSTOMER = "CUSTOMER"
    ADMIN = "ADMIN"


class AccountLanguage(Enum):
    """In what language somebody is spoken to."""

    EN = "en"
    DE = "de"
    FR = "fr"
    IT = "it"


class AuthenticationType(Enum):
    """What became of a login: an account that is new, was known, or was to be deleted and now is not."""

    NEW = "new_account"
    EXISTING = "existing_account"
    RESTORED = "restored_account"


class ImportedDataView(View):
    """Where an account came from, "" if it was opened here."""

    imported_from: str


class MetaInformationView(View):
    """What other systems know of an account; "" where the last write, or read, went well."""

    accepted_newsletter: bool
    sync_error_write: str
    sync_error_read: str
    imported_data: ImportedDataView


class AccountView(View):
    """Somebody who has logged in. ``email`` is "" where the identity provider names none.

    ``personIds`` are those for whom the account buys, the owner first; PATCH without values shows one.
    """

    id: ViewId
    email: str
    type: AccountType
    language: AccountLanguage
    deleted_at: Instant | None
    scheduled_for_deletion_after: Instant | None
    company: str | None
    meta_information: MetaInformationView
    person_ids: list[ViewId]


class AccountEnvelope(Envelope[AccountView]):
    """What is answered with an account."""


class AuthenticationView(View):
    """An account, and whether it was opened just now."""

    type: AuthenticationType
    account: AccountView


class AuthenticationEnvelope(Envelope[AuthenticationView]):
    """What is answered to who has logged in; the token to go on with is in the headers."""


class PersonView(View):
    """Somebody whom the account buys for.

    ``formDefinition`` is the JSON Schema of what is asked, ``values`` are all answers that were ever given,
    ``defaultValues`` what the account knows to propose.
    """

    id: ViewId
    account_id: ViewId
    form_definition: dict[str, Any]
    default_values: dict[str, Any]
    values: dict[str, Any]
    is_owner: bool


class PersonEnvelope(Envelope[PersonView]):
    """What is answered with a person."""
