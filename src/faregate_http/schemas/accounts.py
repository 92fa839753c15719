"""Bodies and responses of the account operations, with the specification's names and types."""

from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from faregate_http.schemas.base import Body, CatalogueId, Envelope, Instant, View, ViewId

Language: TypeAlias = Literal["en", "de", "fr", "it"]


class AuthenticateBody(Body):
    """OpenID Connect ID token, with the nonce it was requested with, if any.

    ``language`` becomes the language of the account; without it, a new account gets that of the request.
    """

    id_token: Annotated[str, StringConstraints(min_length=1, max_length=16_384)]
    language: Language | None = None
    nonce: Annotated[str, StringConstraints(min_length=1, max_length=255)] | None = None


class PersonBody(Body):
    """Answers to the form of a person, merged into the existing ones (RFC 7396: null removes an answer).

    ``productIds`` adds the questions of these products to those asked of every person.
    """

    values: Annotated[dict[str, Any], Field(max_length=200)]
    product_ids: list[CatalogueId] = Field(default=[], max_length=100)


class AccountType(Enum):
    """Kind of account."""

    CUSTOMER = "CUSTOMER"
    ADMIN = "ADMIN"


class AccountLanguage(Enum):
    """Language in which a customer is addressed."""

    EN = "en"
    DE = "de"
    FR = "fr"
    IT = "it"


class AuthenticationType(Enum):
    """Result of a login: the account is new, existed already, or had its deletion cancelled."""

    NEW = "new_account"
    EXISTING = "existing_account"
    RESTORED = "restored_account"


class ImportedDataView(View):
    """Origin of an account; empty if the account was opened here."""

    imported_from: str


class MetaInformationView(View):
    """Newsletter consent and data from other systems; an error is empty if the last exchange succeeded."""

    accepted_newsletter: bool
    sync_error_write: str
    sync_error_read: str
    imported_data: ImportedDataView


class AccountView(View):
    """Account of a customer. ``email`` is empty if the identity provider does not give an address.

    ``personIds`` lists the persons of the account, the owner first. To read a person, send a PATCH with
    empty ``values``.
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
    """Response with an account."""


class AuthenticationView(View):
    """An account, and the result of logging in to it."""

    type: AuthenticationType
    account: AccountView


class AuthenticationEnvelope(Envelope[AuthenticationView]):
    """Response to a login; the access token is in the headers."""


class PersonView(View):
    """One of the persons of an account.

    ``formDefinition`` is the JSON Schema of the questions, ``values`` has all answers so far, and
    ``defaultValues`` has suggested answers.
    """

    id: ViewId
    account_id: ViewId
    form_definition: dict[str, Any]
    default_values: dict[str, Any]
    values: dict[str, Any]
    is_owner: bool


class PersonEnvelope(Envelope[PersonView]):
    """Response with a person."""
