"""The verification of ID tokens, and the identities they contain."""

import asyncio
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from joserfc.jwk import ECKey
from joserfc.util import urlsafe_b64encode

from faregate_http.identity import Identity, InvalidToken
from faregate_server.identity.id_tokens import ALGORITHMS, Identities
from faregate_server.identity.provider_keys import read_keys
from faregate_server.identity.signed_tokens import read_token
from support.service import identity_provider as provider
from support.service.identity_provider import AUDIENCE, EC, RSA, STRANGER, new_key, signed, with_secret
from support.service.service import START, Clock, Json

ISSUER = "https://login.example/tenant"
NOW = int(START.timestamp())
GOOD: Json = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "iat": NOW, "exp": NOW + 300}


class KnownKeys:
    """Public keys as the provider publishes them."""

    def __init__(self, *keys: Any) -> None:
        self.keys = read_keys({"keys": [key.as_dict(private=False) for key in keys]})

    async def find(self, key_id: str | None) -> list[Any]:
        return [key for key in self.keys if key_id in {None, key.get("kid")}]


def identified(token: str, *keys: Any, nonce: str | None = None) -> Identity:
    """Return the identity of *token*, verified with *keys*."""
    identities = Identities(ISSUER, AUDIENCE, keys=KnownKeys(*keys or (EC, RSA)), clock=Clock())
    return asyncio.run(identities.of_token(read_token(token), nonce=nonce))


def without(name: str) -> Json:
    return {key: value for key, value in GOOD.items() if key != name}


@pytest.mark.parametrize(
    ("kind", "algorithm"), [(kind, name) for kind, names in provider.ALGORITHMS.items() for name in names]
)
def test_every_common_algorithm_with_a_public_key_is_accepted(kind: str, algorithm: str) -> None:
    key = new_key(kind, "a")

    assert identified(signed(GOOD, key, algorithm=algorithm), key) == Identity(ISSUER, "ada", None)
    assert algorithm in ALGORITHMS


BELIEVED: dict[str, Json] = {
    "as it is": {},
    "audience among one": {"aud": [AUDIENCE]},
    "audience among several": {"aud": ["other", AUDIENCE], "azp": AUDIENCE},
    "authorized party": {"azp": AUDIENCE},
    "just expired": {"exp": NOW - 59},
    "clock ahead": {"iat": NOW + 60},
    "not before ahead": {"nbf": NOW + 60},
    "issued long ago": {"iat": NOW - 80_000},
    "fractions": {"exp": NOW + 0.5, "iat": NOW - 0.5},
    "a nonce nobody asked for": {"nonce": "n-1"},
    "longest subject": {"sub": "a" * 255},
    "odd subject": {"sub": "auth0|Ada Ørsted"},
    "lives for a day": {"iat": NOW, "exp": NOW + 86_400},
    "events of a vendor": {"acr": "1", "groups": ["a"] * 50},
}


@pytest.mark.parametrize("claims", BELIEVED.values(), ids=BELIEVED)
def test_a_valid_token_is_accepted(claims: Json) -> None:
    assert identified(signed({**GOOD, **claims})).subject == {**GOOD, **claims}["sub"]


REFUSED: dict[str, tuple[Json, str]] = {
    "another issuer": ({**GOOD, "iss": "https://login.example"}, "was not issued by the identity provider"),
    "issuer with a slash": ({**GOOD, "iss": f"{ISSUER}/"}, "was not issued by the identity provider"),
    "issuer in capitals": ({**GOOD, "iss": ISSUER.upper()}, "was not issued by the identity provider"),
    "issuer in a list": ({**GOOD, "iss": [ISSUER]}, "was not issued by the identity provider"),
    "no issuer": (without("iss"), "was not issued by the identity provider"),
    "another audience": ({**GOOD, "aud": "shop"}, "is not intended for this service"),
    "audience within another": ({**GOOD, "aud": f"{AUDIENCE} shop"}, "is not intended for this service"),
    "audience in capitals": ({**GOOD, "aud": AUDIENCE.upper()}, "is not intended for this service"),
    "no audience": (without("aud"), "is not intended for this service"),
    "empty audience": ({**GOOD, "aud": []}, "is not intended for this service"),
    "audience of objects": ({**GOOD, "aud": [{AUDIENCE: 1}]}, "is not intended for this service"),
    "audience as a key": ({**GOOD, "aud": {AUDIENCE: 1}}, "is not intended for this service"),
    "several audiences, nobody authorized": (
        {**GOOD, "aud": [AUDIENCE, "shop"]},
        "is not intended for this service",
    ),
    "another is authorized": (
        {**GOOD, "aud": [AUDIENCE, "shop"], "azp": "shop"},
        "is not intended for this service",
    ),
    "another is authorized alone": ({**GOOD, "azp": "shop"}, "is not intended for this service"),
    "expires never": ({**GOOD, "exp": 10**18}, "is valid for longer than 24 hours"),
    "lives longer than a day": (
        {**GOOD, "iat": NOW, "exp": NOW + 86_401},
        "is valid for longer than 24 hours",
    ),
    "expired": ({**GOOD, "exp": NOW - 60}, "has expired"),
    "expired long ago": ({**GOOD, "exp": 0}, "has expired"),
    "expires before time": ({**GOOD, "exp": -(10**18)}, "has expired"),
    "no expiry": (without("exp"), "has no valid exp claim"),
    "expiry as text": ({**GOOD, "exp": str(NOW + 300)}, "has no valid exp claim"),
    "expiry is true": ({**GOOD, "exp": True}, "has no valid exp claim"),
    "expiry is null": ({**GOOD, "exp": None}, "has no valid exp claim"),
    "no instant of issue": (without("iat"), "has no valid iat claim"),
    "issued as text": ({**GOOD, "iat": "now"}, "has no valid iat claim"),
    "issued in the future": ({**GOOD, "iat": NOW + 61}, "is not valid yet"),
    "not yet": ({**GOOD, "nbf": NOW + 61}, "is not valid yet"),
    "not before text": ({**GOOD, "nbf": "x"}, "has no valid nbf claim"),
    "not before null": ({**GOOD, "nbf": None}, "has no valid nbf claim"),
    "nobody": (without("sub"), "has no valid sub claim"),
    "empty subject": ({**GOOD, "sub": ""}, "has no valid sub claim"),
    "numeric subject": ({**GOOD, "sub": 7}, "has no valid sub claim"),
    "long subject": ({**GOOD, "sub": "a" * 256}, "has no valid sub claim"),
    "subject of two lines": ({**GOOD, "sub": "a\nb"}, "has no valid sub claim"),
    "subject with a zero": ({**GOOD, "sub": "a\0"}, "has no valid sub claim"),
    "subject that turns the text": ({**GOOD, "sub": "a\u202eb"}, "has no valid sub claim"),
}


@pytest.mark.parametrize(("claims", "reason"), REFUSED.values(), ids=REFUSED)
def test_invalid_claims_are_refused(claims: Json, reason: str) -> None:
    with pytest.raises(InvalidToken, match=reason):
        identified(signed(claims))


def with_header(**header: Any) -> str:
    """Return a valid token with another header."""
    _, claims, signature = signed(GOOD).split(".")
    part = urlsafe_b64encode(json.dumps(header).encode()).decode()
    return f"{part}.{claims}.{signature}"


PEM: bytes = EC.as_pem(private=False)  # type: ignore[union-attr]  # it is no secret
FORGED: dict[str, tuple[str, str]] = {
    "another key": (signed(GOOD, STRANGER), "is not signed by the identity provider"),
    "unknown key": (signed(GOOD, new_key("P-256", "ec-9")), "is not signed by the identity provider"),
    "another's key id": (signed(GOOD, EC, kid="rsa-1"), "is not signed by the identity provider"),
    "the key as a secret": (with_secret("-" * 32, GOOD, kid="ec-1"), "not accepted"),
    "no algorithm": (signed(GOOD, EC, algorithm="none"), "is not a signed token"),
    "no algorithm, yet signed": ("eyJhbGciOiJub25lIn0." + signed(GOOD).split(".", 1)[1], "not accepted"),
    "none in capitals": ("eyJhbGciOiJOT05FIn0." + signed(GOOD).split(".", 1)[1], "not accepted"),
    "typed as an access token": (signed(GOOD, typ="at+jwt"), "is not an ID token"),
    "typed as a logout token": (signed(GOOD, typ="logout+jwt"), "is not an ID token"),
    "typed as nothing known": (signed(GOOD, typ=7), "is not an ID token"),
    "typed as a list": (signed(GOOD, typ=["JWT"]), "is not an ID token"),
    "the key of who sends it": (
        signed(GOOD, STRANGER, jwk=STRANGER.as_dict(private=False)),
        "is not signed by the identity provider",
    ),
    "a key that is a list": (signed(GOOD, STRANGER, kid=["ec-1"]), "is not signed by the identity provider"),
    "packed": (signed(GOOD, STRANGER, zip="DEF"), "is not signed by the identity provider"),
    "a list of algorithms": (with_header(alg=["ES256"], kid="ec-1"), "not accepted"),
    "an object for an algorithm": (with_header(alg={}, kid="ec-1"), "not accepted"),
    "an audience that is an object": (
        signed({**GOOD, "aud": {"tickets": 1}}),
        "is not intended for this service",
    ),
    "an issuer that is a list": (
        signed({**GOOD, "iss": ["https://login.example"]}),
        "was not issued by the identity provider",
    ),
    "an expiry of many digits": (signed(b'{"exp": ' + b"9" * 6000 + b"}"), "is not a signed token"),
}


@pytest.mark.parametrize(("token", "reason"), FORGED.values(), ids=FORGED)
def test_a_forged_token_is_refused(token: str, reason: str) -> None:
    with pytest.raises(InvalidToken, match=reason):
        identified(token)


def test_a_token_signed_with_the_public_key_as_a_secret_is_refused() -> None:
    head, claims, _ = with_secret("-" * 32, GOOD, kid="ec-1").split(".")
    mac = HMAC(PEM, SHA256())
    mac.update(f"{head}.{claims}".encode())

    with pytest.raises(InvalidToken, match="not accepted"):
        identified(f"{head}.{claims}.{urlsafe_b64encode(mac.finalize()).decode()}")


def test_a_token_need_not_name_its_key() -> None:
    assert identified(signed(GOOD, kid=None)).subject == "ada"


@pytest.mark.parametrize("typ", [None, "JWT", "jwt", "application/jwt"])
def test_a_token_need_not_have_a_type(typ: str | None) -> None:
    assert identified(signed(GOOD, typ=typ)).subject == "ada"


@pytest.mark.parametrize("parameters", [{"use": "enc"}, {"alg": "ES384"}, {"alg": "ECDH-ES"}])
def test_a_key_for_another_purpose_verifies_no_token(parameters: Json) -> None:
    key = new_key("P-256", "a", **parameters)
    private = {name: part for name, part in key.as_dict(private=True).items() if name not in {"use", "alg"}}

    with pytest.raises(InvalidToken, match="is not signed by"):
        identified(signed(GOOD, ECKey.import_key(private)), key)


@pytest.mark.parametrize(
    ("in_token", "in_body", "is_believed"),
    [
        ("n-1", "n-1", True),
        ("n-1", None, True),
        (None, None, True),
        ("n-1", "n-2", False),
        (None, "n-1", False),
        (None, "None", False),
        (7, "7", False),
        ("ñ", "ñ", True),
    ],
)
def test_a_requested_nonce_must_be_in_the_token(
    in_token: Any, in_body: str | None, is_believed: bool
) -> None:
    claims = GOOD if in_token is None else {**GOOD, "nonce": in_token}

    if is_believed:
        assert identified(signed(claims), nonce=in_body).subject == "ada"
    else:
        with pytest.raises(InvalidToken, match="nonce"):
            identified(signed(claims), nonce=in_body)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("ada@byron.example", "ada@byron.example"),
        ("a@b", "a@b"),
        ("ada@" + "b" * 196, "ada@" + "b" * 196),
        ("ada@" + "b" * 197, None),
        ("ada", None),
        ("ada@", None),
        ("ada byron@example", None),
        ("ada@b@c", None),
        ("ada@b\n", None),
        ("", None),
        (7, None),
        (None, None),
        (["ada@byron.example"], None),
    ],
)
def test_only_valid_email_addresses_are_kept(given: Any, taken: str | None) -> None:
    assert identified(signed({**GOOD, "email": given})).email == taken
