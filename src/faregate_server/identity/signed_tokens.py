"""JSON web tokens with a signature (RFC 7515, RFC 7519): read strictly, trusted only once verified."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from joserfc import jws
from joserfc.errors import JoseError, UnsupportedAlgorithmError

from faregate_http.identity import InvalidToken
from faregate_http.protocol.json_input import InvalidJson, read_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from joserfc._rfc7515.model import JWSAlgModel
    from joserfc.jwk import Key

    from faregate_http.protocol.json_input import Json

MAX_TOKEN_LENGTH = 16_384
"""Characters; what is longer is refused unread."""

_Claims: TypeAlias = "dict[str, Json]"

_COMPACT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


class SignedToken(NamedTuple):
    """A token as it claims to be: nothing of it is known to be true before its signature is verified."""

    text: str
    header: _Claims
    claims: _Claims

    @property
    def algorithm(self) -> str:
        """With what it says to be signed."""
        return str(self.header.get("alg"))

    @property
    def key_id(self) -> str | None:
        """Which key it says to be signed with, if any."""
        key_id = self.header.get("kid")
        return key_id if isinstance(key_id, str) else None


def read_token(text: str) -> SignedToken:
    """The parts of a token in compact form, verified or not.

    Raises:
        InvalidToken: it is none, is too long, or must be understood in ways this code does not know.
    """
    if len(text) > MAX_TOKEN_LENGTH:
        raise InvalidToken("is too long")
    if not _COMPACT.fullmatch(text):
        raise InvalidToken("is no signed token")
    header, claims = (_object(part) for part in text.split(".")[:2])
    if "crit" in header or "b64" in header:
        raise InvalidToken("has a critical header that is not known here")
    return SignedToken(text, header, claims)


def _object(part: str) -> _Claims:
    try:
        value = read_json(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, InvalidJson):
        value = None
    if not isinstance(value, dict):
        raise InvalidToken("is no signed token")
    return value


def is_signed(token: SignedToken, key: Key, *, algorithms: Collection[str]) -> bool:
    """Whether *key* signed the token, by one of *algorithms*."""
    try:
        jws.deserialize_compact(token.text, key, registry=_Registry(algorithms))
    except (JoseError, ValueError, TypeError):  # a key that does not go with the algorithm
        return False
    return True


class _Registry(jws.JWSRegistry):
    """Knows the given algorithms only, and ignores header parameters it does not know (RFC 7515, 4)."""

    max_header_length = MAX_TOKEN_LENGTH
    max_signature_length = 4096

    def __init__(self, algorithms: Collection[str]) -> None:
        super().__init__(algorithms=algorithms, strict_check_header=False)
        self._allowed = frozenset(algorithms)

    def get_alg(self, name: str) -> JWSAlgModel:
        """The algorithm, without a warning of an old name: EdDSA is what providers call it."""
        if name not in self._allowed:
            raise UnsupportedAlgorithmError(name)
        return self.algorithms[name]
