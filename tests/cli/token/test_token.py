"""Login at a local server: only the token is printed, and it works; other servers are refused."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from support.cli.running import program, run, told
from support.processes.program import program as served


@contextmanager
def forwarding(server: str) -> Iterator[str]:
    """Yield the address of a proxy to *server*."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            claimed = self.headers.get("x-forwarded-for")
            chain = ", ".join(filter(None, [claimed, self.client_address[0]]))
            headers = {**dict(self.headers.items()), "x-forwarded-for": chain}
            connection = HTTPConnection(urlsplit(server).netloc, timeout=30)
            connection.request("POST", self.path, body, headers)
            with closing(connection), connection.getresponse() as answer:
                self.send_response(answer.status)
                content = answer.read()
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        Thread(target=proxy.serve_forever, args=(0.01,)).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_port}"
        finally:
            proxy.shutdown()


if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

SECRET = "0123456789abcdef0123456789abcdef"


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    """Yield the address of a server."""
    with served(folder, *options) as server:
        yield server.address


def account_of(server: str, token: str) -> Any:
    """Return the account of *token*."""
    headers = {
        "authorization": f"Bearer {token}",
        "service-channel-uuid": "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77",
        "accept-language": "en",
    }
    request = Request(f"{server}/api/accounts/current", headers=headers)
    with build_opener(ProxyHandler({})).open(request, timeout=30) as response:
        return json.loads(response.read())["data"]


def test_printed_token_belongs_to_the_given_subject(tmp_path: Path) -> None:
    with serving(tmp_path, "--dev") as server:
        ada = program("token", "--server", server, "--subject", "ada", "--email", "ada@byron.example")
        nobody = program("token", "--server", f"{server}/")
        again = program("token", "--server", server, "--subject", "ada")
        tokens = [done.stdout.decode().splitlines()[-1] for done in (ada, nobody, again)]
        accounts = [account_of(server, token) for token in tokens]

    assert [done.returncode for done in (ada, nobody, again)] == [0, 0, 0]
    assert ada.stdout.decode() == f"{tokens[0]}\n"
    assert ada.stderr.startswith(b"new_account ")
    assert again.stderr.startswith(b"existing_account ")
    assert [account["email"] for account in accounts] == ["ada@byron.example", "", "ada@byron.example"]
    assert accounts[0] == accounts[2] != accounts[1]


def test_a_server_without_a_development_issuer_issues_no_token(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        result = run("token", "--server", server)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "there is no development issuer: start the server with --dev" in result.stderr


def test_refusals_of_the_server_are_reported(tmp_path: Path) -> None:
    with serving(tmp_path, "--dev") as server:
        no_subject = run("token", "--server", server, "--subject", "")
        no_channel = run("token", "--server", server, "--channel", "x")

    assert (
        "422 The body does not have the declared structure. --subject: expected at least 1 character\n"
        in no_subject.stderr
    )
    assert "400 A header or a query parameter is invalid. --channel: is not a UUID\n" in no_channel.stderr
    assert no_subject.exit_code == no_channel.exit_code == 1


@pytest.mark.parametrize(
    "server",
    [
        "https://tickets.example",
        "http://tickets.example",
        "http://192.0.2.1:8000",
        "http://0.0.0.0:8000",
        "http://127.0.0.1@tickets.example",
        "http://localhost.tickets.example",
        "localhost:8000",
        "",
    ],
)
def test_login_at_any_other_server_is_refused(server: str) -> None:
    result = run("token", "--server", server)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"--server: {server} ")
    assert "login failed" in result.stderr


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"[]", b"{}", b'{"id_token": 1}', b'{"detail": "x", "errors": 1}', b'{"errors": [{}]}'],
)
@pytest.mark.parametrize("status", [200, 500])
def test_a_server_of_another_kind_is_reported(body: bytes, status: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        result = run("token", "--server", f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()

    assert result.exit_code == 1
    assert "login failed" in result.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com", "localhost.example.com"])
def test_development_is_served_on_this_machine_only(tmp_path: Path, host: str) -> None:
    result = run("serve", "--dev", "--port", "0", "--host", host, "--database", f"sqlite:///{tmp_path}/x.db")

    assert result.exit_code == 1
    assert f"{host} is not local" in result.stderr
    assert not (tmp_path / "x.db").exists()


IDENTITY = ("--identity-issuer", "https://login.example", "--identity-audience", "tickets")


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (("--dev", *IDENTITY), {}, "exclude each other"),
        (IDENTITY, {}, "the token secret is missing"),
        (IDENTITY, {"FAREGATE_TOKEN_SECRET": "short"}, "the token secret has 5 bytes"),
        (IDENTITY[:2], {"FAREGATE_TOKEN_SECRET": SECRET}, "the identity audience is missing"),
        ((), {"FAREGATE_IDENTITY_ISSUER": "http://login.example"}, "must begin with https"),
        ((), {"FAREGATE_IDENTITY_AUDIENCE": "tickets"}, "the identity issuer is missing"),
        ((), {"FAREGATE_IDENTITY_JWKS": "nonsense"}, "the URL of the identity JWKS is not a URL"),
        ((), {"FAREGATE_PUBLIC_URL": "nonsense"}, "the public URL is not a URL"),
        ((), {"FAREGATE_TRUSTED_PROXIES": "proxy.example"}, "'proxy.example' is not an address or a network"),
        (IDENTITY, {"FAREGATE_TOKEN_SECRET": "\udcff"}, "the token secret has 1 bytes"),
        (("--token-secret-file", "{folder}/none"), {}, "none: cannot be read: No such file"),
        (
            ("--token-secret-file", "{folder}/secret"),
            {"FAREGATE_TOKEN_SECRET": SECRET},
            "there are two token secrets",
        ),
        ((), {"FAREGATE_DATABASE": "nonsense"}, "not a database URL"),
        ((), {"FAREGATE_CATALOGUE": "{folder}/none.yaml"}, "none.yaml"),
    ],
)
def test_contradictory_settings_are_not_served(
    tmp_path: Path,
    options: tuple[str, ...],
    environment: dict[str, str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "secret").write_text(SECRET)
    monkeypatch.setenv("FAREGATE_DATABASE", f"sqlite:///{tmp_path}/x.db")
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(folder=tmp_path))

    result = run("serve", "--port", "0", *[option.format(folder=tmp_path) for option in options])

    assert result.exit_code == 1
    assert message in result.stderr
    assert SECRET not in result.stderr


PUBLIC_KEY = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
"""


def test_one_issue_does_not_hide_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAREGATE_TOKEN_SECRET", PUBLIC_KEY)
    monkeypatch.setenv("FAREGATE_PUBLIC_URL", "nonsense")

    faults, _ = told(run("serve", "--dev", "--host", "192.0.2.1", "--catalogue", tmp_path / "none.yaml"))

    assert [fault.partition(" is ")[0] for fault in faults[:2]] == ["the public URL", "the token secret"]
    assert faults[1].endswith("is a public key or a certificate: use random bytes")
    assert "192.0.2.1 is not local" in faults[2]
    assert faults[3].startswith(f"{tmp_path}/none.yaml")


def test_a_secret_need_not_be_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from faregate_cli.serve.preparing import secrets_of

    monkeypatch.setitem(os.environb, b"FAREGATE_TOKEN_SECRET", b"\xff\xfe" * 16)

    assert secrets_of(()) == [b"\xff\xfe" * 16]
    with serving(tmp_path, *IDENTITY) as server:
        assert failure(server, claims="192.0.2.1") == 401


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_secret_file_may_end_with_a_newline(
    tmp_path: Path, end: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from faregate_cli.serve.preparing import secrets_of

    monkeypatch.delenv("FAREGATE_TOKEN_SECRET", raising=False)
    file = tmp_path / "secret"
    file.write_bytes(SECRET.encode() + end)

    assert secrets_of([file]) == [SECRET.encode()]


def test_each_secret_file_must_be_readable_and_long_enough(tmp_path: Path) -> None:
    (tmp_path / "new").write_text(SECRET)
    (tmp_path / "old").write_text("short")
    files = ["--token-secret-file", str(tmp_path / "new"), "--token-secret-file"]

    short = run("serve", *IDENTITY, *files, tmp_path / "old")
    missing = run("serve", *IDENTITY, *files, tmp_path / "none")
    twice = run("serve", *IDENTITY, *files, tmp_path / "new")

    assert "old token secret 1 has 5 bytes: it needs at least 32" in short.stderr
    assert f"{tmp_path}/none: cannot be read" in missing.stderr
    assert "old token secret 1 occurs twice" in twice.stderr
    assert [result.exit_code for result in (short, missing, twice)] == [1, 1, 1]


def test_a_server_with_a_provider_has_accounts(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    with serving(tmp_path, *IDENTITY, "--token-secret-file", "secret") as server:
        request = Request(f"{server}/api/accounts/current", headers={"accept-language": "en"})
        request.add_header("service-channel-uuid", "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77")
        with pytest.raises(OSError, match="401") as refused:
            build_opener(ProxyHandler({})).open(request, timeout=30)
        refused.value.close()  # type: ignore[attr-defined]  # the answer


@pytest.mark.parametrize(
    ("options", "environment", "has_sandbox"),
    [
        ((), {}, False),
        ((), {"FAREGATE_SANDBOX": "0"}, False),
        ((), {"FAREGATE_SANDBOX": "1"}, True),
        (("--sandbox",), {}, True),
    ],
)
def test_with_a_provider_the_sandbox_must_be_requested(
    tmp_path: Path,
    options: tuple[str, ...],
    environment: dict[str, str],
    has_sandbox: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"FAREGATE_TOKEN_SECRET": SECRET, **environment}.items():
        monkeypatch.setenv(name, value)

    with serving(tmp_path, *IDENTITY, *options) as server, pytest.raises(HTTPError) as answered:
        build_opener(ProxyHandler({})).open(f"{server}/sandbox/registrations/{'0' * 32}", timeout=30)

    with answered.value as page:
        assert page.code == 404
        assert page.headers["content-type"].startswith("text/html") == has_sandbox


MOST_FAILURES = 20


def failure(server: str, address: str = "127.0.0.1", *, claims: str) -> int:
    """Return the status of a failed login from *address* that claims another one in X-Forwarded-For."""
    headers = {
        "content-type": "application/json",
        "service-channel-uuid": "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77",
        "accept-language": "en",
        "x-forwarded-for": claims,
    }
    connection = HTTPConnection(urlsplit(server).netloc, timeout=30, source_address=(address, 0))
    connection.request("POST", "/api/accounts/authenticate", b'{"idToken": "no token"}', headers)
    with closing(connection), connection.getresponse() as answer:
        return answer.status


def statuses(server: str, clients: Iterable[str]) -> list[int]:
    """Return the statuses of failed logins of *clients*."""
    return [failure(server, claims=client) for client in clients]


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        ((), {}),
        (("--trusted-proxies", "10.0.0.0/8, 127.0.0.1"), {}),
        ((), {"FAREGATE_TRUSTED_PROXIES": "127.0.0.0/8"}),
        (("--trusted-proxies", "127.0.0.1"), {"FORWARDED_ALLOW_IPS": "192.0.2.1"}),
    ],
)
def test_behind_a_trusted_proxy_failures_are_counted_per_client(
    tmp_path: Path,
    options: tuple[str, ...],
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"FAREGATE_TOKEN_SECRET": SECRET, **environment}.items():
        monkeypatch.setenv(name, value)

    with serving(tmp_path, *IDENTITY, *options) as server:
        one = statuses(server, ["198.51.100.1"] * (MOST_FAILURES + 1))
        other = statuses(server, ["198.51.100.2"])

    assert one == [401] * MOST_FAILURES + [429]
    assert other == [401]


@pytest.mark.parametrize("proxies", ["192.0.2.1", "10.0.0.0/8,::1", ""])
def test_untrusted_clients_cannot_claim_another_address(
    tmp_path: Path, proxies: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAREGATE_TOKEN_SECRET", SECRET)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    with serving(tmp_path, *IDENTITY, "--trusted-proxies", proxies) as server:
        found = statuses(server, [f"198.51.100.{n}" for n in range(MOST_FAILURES + 1)])

    assert found == [401] * MOST_FAILURES + [429]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address only")
@pytest.mark.parametrize("proxies", ["127.0.0.1", "127.0.0.1,198.51.100.0/24"])
def test_behind_a_real_proxy_a_client_is_the_last_address_that_is_not_a_proxy(
    tmp_path: Path, proxies: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAREGATE_TOKEN_SECRET", SECRET)

    with (
        serving(tmp_path, *IDENTITY, "--trusted-proxies", proxies) as server,
        forwarding(server) as proxy,
    ):
        pretends = [failure(proxy, "127.0.0.9", claims=f"198.51.100.{n}") for n in range(MOST_FAILURES + 1)]
        other = failure(proxy, "127.0.0.8", claims="127.0.0.9")

    assert pretends == [401] * MOST_FAILURES + [429]
    assert other == 401
