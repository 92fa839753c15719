"""Signed tokens: parsed strictly, and never accepted as another kind."""

from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any

import pytest

from faregate_http.identity import InvalidToken
from faregate_server.identity.access_tokens import LIFETIME, AccessTokens
from faregate_server.identity.signed_tokens import MAX_TOKEN_LENGTH, is_signed, read_token
from faregate_server.settings import InvalidSettings
from support.service.identity_provider import ALGORITHMS, EC, RSA, STRANGER, new_key, signed, with_secret
from support.service.service import START, Clock

SECRET = b"-" * 32
NOW = int(START.timestamp())
CLAIMS = {"iss": "urn:faregate", "aud": "urn:faregate:api", "sub": "7", "iat": NOW, "exp": NOW + 60}


def part(text: bytes) -> str:
    return urlsafe_b64encode(text).decode().rstrip("=")


def tokens(clock: Clock | None = None, secret: bytes = SECRET) -> AccessTokens:
    return AccessTokens(secret, clock or Clock())


GOOD = part(b'{"alg":"ES256"}'), part(b'{"sub":"ada"}'), "c2ln"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a signed token"),
        ("ada", "not a signed token"),
        (".".join(GOOD[:2]), "not a signed token"),
        (".".join((*GOOD, "more")), "not a signed token"),
        (".".join((*GOOD[:2], "")), "not a signed token"),
        (".".join(("", *GOOD[1:])), "not a signed token"),
        (".".join((GOOD[0], "", GOOD[2])), "not a signed token"),
        (".".join(GOOD) + "\n", "not a signed token"),
        (".".join(GOOD) + "=", "not a signed token"),
        (".".join(GOOD).replace("c2ln", "c2+/"), "not a signed token"),
        (".".join(("é", *GOOD[1:])), "not a signed token"),
        (".".join((part(b"[1]"), *GOOD[1:])), "not a signed token"),
        (".".join((part(b"\xff"), *GOOD[1:])), "not a signed token"),
        (".".join((part(b'{"alg":1,"alg":2}'), *GOOD[1:])), "not a signed token"),
        (".".join((GOOD[0], part(b'{"exp":NaN}'), GOOD[2])), "not a signed token"),
        (".".join((GOOD[0], part(b'{"a":' + b"[" * 99 + b"]" * 99 + b"}"), GOOD[2])), "not a signed token"),
        (".".join((GOOD[0], "a", GOOD[2])), "not a signed token"),
        (".".join((part(b'{"alg":"ES256","crit":["x"]}'), *GOOD[1:])), "critical"),
        (".".join((part(b'{"alg":"ES256","crit":[]}'), *GOOD[1:])), "critical"),
        (".".join((part(b'{"alg":"ES256","b64":false}'), *GOOD[1:])), "critical"),
        ("a" * (MAX_TOKEN_LENGTH + 1), "too long"),
    ],
)
def test_invalid_tokens_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidToken, match=reason):
        read_token(text)


def test_header_and_claims_of_a_token_are_read() -> None:
    token = read_token(".".join(GOOD))

    assert (token.algorithm, token.key_id, token.claims) == ("ES256", None, {"sub": "ada"})


@pytest.mark.parametrize("key_id", [1, ["a"], None, {}])
def test_a_key_id_is_text_or_none(key_id: object) -> None:
    token = read_token(
        f"{part(str({'kid': key_id}).replace(chr(39), chr(34)).replace('None', 'null').encode())}.e30.c2ln"
    )

    assert token.key_id is None


@pytest.mark.parametrize(
    ("kind", "algorithm"), [(kind, algorithm) for kind in ALGORITHMS for algorithm in ALGORITHMS[kind]]
)
def test_a_signature_is_valid_only_for_its_own_key(kind: str, algorithm: str) -> None:
    key = new_key(kind, "a")
    token = read_token(signed({"sub": "ada"}, key, algorithm=algorithm))

    assert is_signed(token, key, algorithms=[algorithm])
    assert not is_signed(token, new_key(kind, "a"), algorithms=[algorithm])
    assert not is_signed(token, key, algorithms=["HS256"])


def test_a_changed_claim_breaks_the_signature() -> None:
    header, _, signature = signed({"sub": "ada"}).split(".")

    token = read_token(f"{header}.{part(b'{}')}.{signature}")

    assert not is_signed(token, EC, algorithms=["ES256"])


@pytest.mark.parametrize("algorithm", ["ES384", "RS256", "HS256", "none", "EdDSA", "", "es256"])
def test_a_key_verifies_only_algorithms_that_it_can_sign_with(algorithm: str) -> None:
    _, claims, signature = signed({"sub": "ada"}).split(".")
    token = read_token(
        f"{part(f'{{{chr(34)}alg{chr(34)}:{chr(34)}{algorithm}{chr(34)}}}'.encode())}.{claims}.{signature}"
    )

    assert not is_signed(token, EC, algorithms=["ES256", "ES384", "RS256", "EdDSA"])


def test_an_unknown_header_is_ignored() -> None:
    token = read_token(signed({"sub": "ada"}, x_of_a_vendor="1"))

    assert is_signed(token, EC, algorithms=["ES256"])


def test_a_token_names_the_account_it_was_issued_for() -> None:
    assert tokens().bearer_of(read_token(tokens().issue(2**53 - 1))).account == 2**53 - 1


def test_a_token_is_valid_for_an_hour() -> None:
    clock = Clock()
    token = read_token(tokens(clock).issue(7))

    clock.now += LIFETIME - timedelta(seconds=1)
    assert tokens(clock).bearer_of(token).account == 7
    clock.now += timedelta(seconds=1)
    with pytest.raises(InvalidToken, match="has expired"):
        tokens(clock).bearer_of(token)


def test_tokens_of_old_secrets_stay_valid_and_new_ones_are_signed_with_the_first() -> None:
    old, new = b"-" * 32, b"=" * 32
    rotated = AccessTokens(new, Clock(), old_secrets=[b"+" * 32, old])

    assert rotated.bearer_of(read_token(tokens(secret=old).issue(7))).account == 7
    assert tokens(secret=new).bearer_of(read_token(rotated.issue(8))).account == 8
    with pytest.raises(InvalidToken, match="invalid signature"):
        rotated.bearer_of(read_token(tokens(secret=b"." * 32).issue(7)))


def test_a_token_is_invalid_under_another_secret() -> None:
    token = read_token(tokens().issue(7))

    with pytest.raises(InvalidToken, match="invalid signature"):
        tokens(secret=b"=" * 32).bearer_of(token)


@pytest.mark.parametrize(
    "text",
    [
        with_secret(SECRET, {**CLAIMS, "iss": "https://login.example"}, typ="at+jwt"),
        with_secret(SECRET, {**CLAIMS, "aud": "tickets"}, typ="at+jwt"),
        with_secret(SECRET, {**CLAIMS, "aud": ["urn:faregate:api"]}, typ="at+jwt"),
        with_secret(SECRET, CLAIMS),
        with_secret(SECRET, CLAIMS, typ=None),
        with_secret(SECRET, CLAIMS, typ="AT+JWT"),
    ],
)
def test_tokens_signed_for_another_purpose_are_refused(text: str) -> None:
    with pytest.raises(InvalidToken, match="not intended for this service"):
        tokens().bearer_of(read_token(text))


def test_the_secret_is_never_shown() -> None:
    assert "-" * 8 not in repr(tokens())


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        (tokens().issue(7), True),
        (with_secret("x" * 32, {}), True),
        (signed({}), False),
        (signed({}, RSA, algorithm="RS256"), False),
    ],
)
def test_only_tokens_signed_with_a_secret_count_as_ours(text: str, is_ours: bool) -> None:
    assert tokens().owns(read_token(text)) == is_ours


def test_a_stranger_can_sign_with_the_id_of_a_known_key() -> None:
    """A precondition of the tests of strangers below."""
    assert is_signed(read_token(signed({}, STRANGER)), STRANGER, algorithms=["ES256"])
    assert read_token(signed({}, STRANGER)).key_id == EC.get("kid")


@pytest.mark.parametrize("key", [EC, RSA], ids=["EC", "RSA"])
@pytest.mark.parametrize("before", [b"", b"\n", b"random bytes, and then\n"])
def test_a_public_key_is_refused_as_a_secret_and_not_repeated(key: Any, before: bytes) -> None:
    secret = before + key.as_pem(private=False)

    with pytest.raises(InvalidSettings) as refused:
        AccessTokens(secret, Clock())

    assert len(refused.value.messages) == 1
    assert not any(line in str(refused.value) for line in secret.decode().split() if len(line) > 10)
    assert refused.value.__suppress_context__
