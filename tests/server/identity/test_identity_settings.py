"""Identity settings: contradictory or unsafe ones are refused with a clear message."""

import hmac
import pickle
from typing import Any

import pytest

from faregate_http.options import FailureLimit
from faregate_http.protocol.hosts import is_loopback
from faregate_server.settings import InvalidSettings, Settings, url_fault

SECRET = "0123456789abcdef0123456789abcdef"
GOOD: dict[str, Any] = {
    "identity_issuer": "https://login.example/tenant",
    "identity_audience": "tickets",
    "token_secret": SECRET,
}


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"identity_jwks": "https://login.example/keys?p=policy"},
        {"identity_issuer": "http://localhost:9000"},
        {"identity_issuer": "http://127.0.0.1:9000/realms/a"},
        {"identity_issuer": "http://[::1]:9000"},
        {"token_secret": SECRET.encode()},
        {"token_secret": "é" * 16},
        {"public_url": "https://tickets.example"},
        {"token_secret": "\udcff" * 32},
        {"trusted_proxies": ""},
        {"trusted_proxies": "192.0.2.1"},
        {"trusted_proxies": "127.0.0.1, ::1,10.0.0.0/8 , 2001:db8::/32"},
    ],
)
def test_valid_settings_are_accepted(others: dict[str, Any]) -> None:
    settings = Settings(**{**GOOD, **others})

    assert settings.secret is not None
    assert len(settings.secret) >= 32


@pytest.mark.parametrize(
    ("others", "faults"),
    [
        ({"identity_audience": None}, ["the identity audience is missing: set it together with the issuer"]),
        ({"identity_audience": ""}, ["the identity audience is missing: set it together with the issuer"]),
        ({"identity_issuer": None}, ["the identity issuer is missing: set it together with the audience"]),
        (
            {
                "identity_issuer": None,
                "identity_audience": None,
                "identity_jwks": "https://login.example/keys",
            },
            [
                "the identity issuer is missing: set it together with the audience",
                "the identity audience is missing: set it together with the issuer",
            ],
        ),
        (
            {"token_secret": None},
            ["the token secret is missing: accounts need one of at least 32 bytes"],
        ),
        ({"token_secret": "a" * 31}, ["the token secret has 31 bytes: it needs at least 32"]),
        (
            {"old_token_secrets": ["a", b"c" * 32, "c" * 32]},
            [
                "old token secret 1 has 1 bytes: it needs at least 32",
                "old token secret 3 occurs twice: remove it",
            ],
        ),
        ({"token_secret": b""}, ["the token secret has 0 bytes: it needs at least 32"]),
        (
            {"identity_issuer": "http://login.example"},
            [
                "the URL of the identity issuer must begin with https, or with http on this machine",
            ],
        ),
        ({"identity_issuer": "login.example"}, ["the URL of the identity issuer is not a URL"]),
        (
            {"identity_issuer": "https://login.example?tenant=1"},
            ["the URL of the identity issuer must not have a query, a fragment or a user"],
        ),
        (
            {"identity_jwks": "http://0.0.0.0/keys"},
            ["the URL of the identity JWKS must begin with https, or with http on this machine"],
        ),
        ({"identity_jwks": ""}, ["the URL of the identity JWKS is not a URL"]),
        (
            {"is_development": True},
            ["the development issuer and an identity provider exclude each other: set only one"],
        ),
        (
            {"login_failures": FailureLimit(0, 0)},
            ["login_failures: expected at least 1 in more than 0 seconds, got 0 in 0"],
        ),
        (
            {"trusted_proxies": "proxy.example,10.0.0.1/8"},
            [
                "trusted proxies: 'proxy.example' is not an address or a network",
                "trusted proxies: '10.0.0.1/8' is not an address or a network",
            ],
        ),
        (
            {"trusted_proxies": "127.0.0.1, *, 0.0.0.0/0, ::/0"},
            [
                f"trusted proxies: with {everyone!r} any client could choose its own address: "
                "name the addresses or networks of the proxies, such as 10.0.0.0/8"
                for everyone in ("*", "0.0.0.0/0", "::/0")
            ],
        ),
        (
            {"trusted_proxies": "127.0.0.1,"},
            ["trusted proxies: '' is not an address or a network"],
        ),
    ],
)
def test_every_issue_is_reported_in_a_sentence(others: dict[str, Any], faults: list[str]) -> None:
    with pytest.raises(InvalidSettings) as refused:
        Settings(**{**GOOD, **others})

    assert list(refused.value.messages) == faults


def test_development_needs_no_secret_and_may_have_one() -> None:
    assert Settings(is_development=True).secret is None
    assert Settings(is_development=True, token_secret=SECRET).secret == SECRET.encode()


def test_the_order_key_is_derived_from_the_secret() -> None:
    options = Settings(**GOOD).options()

    assert options.order_key == hmac.new(SECRET.encode(), b"faregate orders", "sha256").digest()
    assert options == Settings(**GOOD).options()
    assert options.order_key != Settings(**{**GOOD, "token_secret": SECRET[::-1]}).options().order_key
    assert options.order_key not in {SECRET.encode(), options.holder_key}
    assert "order_key" not in repr(options)


def test_without_a_secret_only_development_has_an_order_key() -> None:
    made_up = [Settings(is_development=True).options().order_key for _ in range(2)]

    assert Settings().options().order_key is None
    assert [len(key or b"") for key in made_up] == [32, 32]
    assert made_up[0] != made_up[1]


@pytest.mark.parametrize("url", ["https://tickets.example", "http://192.168.0.2:8000", "http://0.0.0.0:8000"])
def test_development_requires_a_local_public_url(url: str) -> None:
    with pytest.raises(InvalidSettings):
        Settings(is_development=True, public_url=url)


def test_a_secret_is_never_shown() -> None:
    settings = Settings(**GOOD)

    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)
    assert pickle.loads(pickle.dumps(settings)) == settings
    with pytest.raises(InvalidSettings) as refused:
        Settings(token_secret="too-short-a-secret", identity_issuer="https://login.example")
    assert "too-short" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "login.example",
        "https://",
        "https:///path",
        "ftp://login.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://login.example",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://127.0.0.1@login.example",
        "https://user@login.example",
        "https://user:secret@login.example",
        "https://login.example/#a",
        "https://login.example:port",
        "https://login.example:99999",
        "https://login.example/a b",
        "https://login.example/\n",
        "https://lögin.example",
        "https://[::1",
        "http://0.0.0.0",
        "http://[::]",
        "http://169.254.169.254/latest",
    ],
)
def test_insecure_urls_are_not_trusted(url: str) -> None:
    assert url_fault(url) is not None


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True),
        ("LOCALHOST", True),
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("example.com", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("0", False),
        ("127.1", False),
        ("2130706433", False),
        ("", False),
    ],
)
def test_only_this_machine_is_loopback(host: str, is_here: bool) -> None:
    assert is_loopback(host) == is_here
