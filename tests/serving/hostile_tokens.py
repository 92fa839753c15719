"""Tokens that a service must not believe: not one of the provider for this service."""

import json
from base64 import urlsafe_b64encode
from hmac import digest

from joserfc.jwk import ECKey

from serving.identity_provider import (
    EC,
    RSA,
    SECRET,
    STRANGER,
    Provider,
    new_key,
    signed,
    with_secret,
)
from serving.service import START

NOW = int(START.timestamp())
TWICE = b'{"alg": "ES256", "alg": "none"}'


def _part(value: object) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(text).rstrip(b"=").decode()


def _with_key_as_secret(claims: str) -> str:
    """Signed with the public key as the provider could publish it, which libraries refuse as a secret."""
    signed_part = f"{_part({'alg': 'HS256', 'kid': 'ec-1'})}.{claims}"
    assert isinstance(EC, ECKey)
    signature = digest(EC.as_pem(private=False), signed_part.encode(), "sha256")
    return f"{signed_part}.{_part(signature)}"


def hostile_tokens(provider: Provider, access: str) -> dict[str, str]:
    """Every way in which a token is not one of the provider for this service."""
    good = provider.claims(sub="mallory")
    header, claims, signature = signed(good).split(".")
    return {
        "not a token": "ada",
        "blank": " ",
        "two parts": f"{header}.{claims}",
        "four parts": f"{header}.{claims}.{signature}.{signature}",
        "five parts": "a.b.c.d.e",
        "no signature": f"{header}.{claims}.",
        "another signature": f"{header}.{claims}.{signature[::-1]}",
        "short signature": f"{header}.{claims}.AAAA",
        "other claims": f"{header}.{signed(provider.claims(sub='victim')).split('.')[1]}.{signature}",
        "no JSON": f"bm90.{claims}.{signature}",
        "list of claims": signed(b"[]"),
        "claims are text": signed(b'"victim"'),
        "claims twice": signed(b'{"sub":"mallory","sub":"victim"}'),
        "deep claims": signed(b'{"sub":' + b"[" * 100 + b"]" * 100 + b"}"),
        "no claims": signed({}),
        "nothing": "..",
        "many dots": "." * 1000,
        "none": f"eyJhbGciOiJub25lIn0.{claims}.AAAA",
        "None": f"eyJhbGciOiJOb25lIn0.{claims}.AAAA",
        "no algorithm": f"e30.{claims}.{signature}",
        "a secret": with_secret("-" * 32, good, kid="ec-1"),
        "the service's secret": with_secret(SECRET, good),
        "the public key as a secret": with_secret(json.dumps(EC.as_dict(private=False)), good, kid="ec-1"),
        "wrong algorithm for the key": signed(good, RSA, algorithm="RS256", kid="ec-1"),
        "stranger": signed(good, STRANGER),
        "stranger's own key within": signed(good, STRANGER, jwk=STRANGER.as_dict(private=False)),
        "stranger's keys elsewhere": signed(good, STRANGER, jku="https://mallory.example/jwks"),
        "unknown key": signed(good, new_key("P-256", "ec-9")),
        "critical header": signed(good, EC, crit=["exp"]),
        "not encoded": f"eyJhbGciOiJFUzI1NiIsImI2NCI6ZmFsc2V9.{claims}.{signature}",
        "access token of the service": access,
        "access token of the provider": signed(good, typ="at+jwt"),
        "logout token": signed(good, typ="logout+jwt"),
        "another issuer": provider.token(iss="https://mallory.example"),
        "issuer with a slash": provider.token(iss=f"{provider.url}/"),
        "no issuer": provider.token(iss=None),
        "another audience": provider.token(aud="mallory"),
        "no audience": provider.token(aud=None),
        "several audiences": provider.token(aud=["tickets", "mallory"]),
        "another party": provider.token(aud=["tickets", "mallory"], azp="mallory"),
        "expired": provider.token(exp=NOW - 60),
        "no expiry": provider.token(exp=None),
        "expiry as text": provider.token(exp="never"),
        "endless expiry": signed(json.dumps(good)[:-1].encode() + b', "exp": 1e999}'),
        "from the future": provider.token(iat=NOW + 61),
        "not yet": provider.token(nbf=NOW + 61),
        "no instant of issue": provider.token(iat=None),
        "nobody": provider.token(sub=None),
        "empty name": provider.token(sub=""),
        "a number": provider.token(sub=1),
        "long name": provider.token(sub="a" * 256),
        "name with a zero": provider.token(sub="victim\0"),
        "name of two lines": provider.token(sub="victim\n"),
        "list of names": provider.token(sub=["victim"]),
        "a type that is a list": signed(good, typ=["JWT"]),
        "a type that is an object": signed(good, typ={"JWT": 1}),
        "a type that is true": signed(good, typ=True),
        "an algorithm that is a list": f"{_part({'alg': ['ES256'], 'kid': 'ec-1'})}.{claims}.{signature}",
        "an algorithm that is an object": f"{_part({'alg': {}, 'kid': 'ec-1'})}.{claims}.{signature}",
        "an algorithm in small letters": f"{_part({'alg': 'es256', 'kid': 'ec-1'})}.{claims}.{signature}",
        "an algorithm twice": f"{_part(TWICE)}.{claims}.{signature}",
        "a header that is a list": f"{_part(['ES256'])}.{claims}.{signature}",
        "a key that is a file": signed(good, STRANGER, kid="../../../../dev/null"),
        "a key that is a query": signed(good, STRANGER, kid="' UNION SELECT '"),
        "a key that is a list": signed(good, STRANGER, kid=["ec-1"]),
        "a chain of its own": signed(good, STRANGER, x5c=["AAAA"], x5u="https://mallory.example/x5u"),
        "packed": signed(good, STRANGER, zip="DEF"),
        "the public key in PEM as a secret": _with_key_as_secret(claims),
        "encrypted": f"{_part({'alg': 'dir', 'enc': 'A128GCM'})}.{claims}.{signature}",
        "expiry of many digits": signed(b'{"exp": ' + b"9" * 6000 + b"}"),
        "an audience that is an object": provider.token(aud={"tickets": 1}),
        "an issuer that is a list": provider.token(iss=[provider.url]),
        "16,385 characters": f"{header}.{claims}.{'A' * (16_384 - len(header) - len(claims))}",
    }
