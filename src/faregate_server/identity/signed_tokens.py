"""Signed JSON web tokens (RFC 7515, RFC 7519), parsed strictly and trusted only after verification."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from joserfc import jws
from joserfc._rfc7515.model import JWSAlgModel
from joserfc.errors import JoseError, UnsupportedAlgorithmError
from joserfc.jwk import Key

from faregate_http.identity import InvalidToken
from faregate_http.protocol.json_input import InvalidJson, Json, read_json

MAX_TOKEN_LENGTH = 16_384
"""Maximum length of a token in characters; longer tokens are refused without being parsed."""

_Claims: TypeAlias = "dict[str, Json]"

_COMPACT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


class SignedToken(NamedTuple):
    """The parts of a signed token; none of them can be trusted before the signature has been verified."""

    text: str
    header: _Claims
    claims: _Claims

    @property
    def algorithm(self) -> str:
        """The name of the signature algorithm in the token's header."""
        return str(self.header.get("alg"))

    @property
    def key_id(self) -> str | None:
        """The id of the signing key in the token's header, or None if the header has no valid one."""
        key_id = self.header.get("kid")
        return key_id if isinstance(key_id, str) else None


def read_token(text: str) -> SignedToken:
    """Parse *text*, a token in compact form, without verifying its signature.

    Raises:
        InvalidToken: the token is malformed or too long, or has an unsupported critical header.
    """
    if len(text) > MAX_TOKEN_LENGTH:
        raise InvalidToken("is too long")
    if not _COMPACT.fullmatch(text):
        raise InvalidToken("is not a signed token")
    header, claims = (_object(part) for part in text.split(".")[:2])
    if "crit" in header or "b64" in header:
        raise InvalidToken("has an unsupported critical header")
    return SignedToken(text, header, claims)


def _object(part: str) -> _Claims:
    try:
        value = read_json(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, InvalidJson):
        value = None
    if not isinstance(value, dict):
        raise InvalidToken("is not a signed token")
    return value


def is_signed(token: SignedToken, key: Key, *, algorithms: Collection[str]) -> bool:
    """Return True if *token* was signed with *key* and one of *algorithms*."""
    try:
        jws.deserialize_compact(token.text, key, registry=_Registry(algorithms))
    except (JoseError, ValueError, TypeError):  # the key does not fit the algorithm
        return False
    return True


class _Registry(jws.JWSRegistry):
    """A registry of signature algorithms that ignores unknown header parameters (see RFC 7515, 4)."""

    max_header_length = MAX_TOKEN_LENGTH
    max_signature_length = 4096

    def __init__(self, algorithms: Collection[str]) -> None:
        super().__init__(algorithms=algorithms, strict_check_header=False)
        self._allowed = frozenset(algorithms)

    def get_alg(self, name: str) -> JWSAlgModel:
        """Return the algorithm *name*, without a warning for EdDSA, a deprecated name still in use."""
        if name not in self._allowed:
            raise UnsupportedAlgorithmError(name)
        return self.algorithms[name]
