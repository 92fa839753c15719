"""The keys of a provider: their location, when they are fetched again, and how long they are trusted."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from faregate_http.identity import PAUSE_SECONDS, KeysUnavailable
from faregate_server.identity.provider_keys import (
    FRESH_SECONDS,
    KEPT_SECONDS,
    ProviderKeys,
    fetch_json,
    read_keys,
)
from support.service.identity_provider import EC, RSA, Provider, Way, new_key, providing

DISCOVERY = "/.well-known/openid-configuration"
BAD_WAYS = [way for way in Way if way is not Way.WELL]
ROTATED = new_key("P-256", "ec-2")


class Timer:
    """A timer that the test advances."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def provider() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def keys(provider: Provider, timer: Timer) -> ProviderKeys:
    return ProviderKeys(provider.url, timer=timer)


def found(keys: ProviderKeys, key_id: str | None = "ec-1") -> list[str]:
    """Return the ids of the keys that are found."""
    return [str(key.get("kid")) for key in asyncio.run(keys.find(key_id))]


def test_keys_are_found_through_the_discovery_document(provider: Provider, keys: ProviderKeys) -> None:
    assert found(keys) == ["ec-1"]
    assert found(keys, "rsa-1") == ["rsa-1"]
    assert found(keys, None) == ["rsa-1", "ec-1"]
    assert provider.asked == [DISCOVERY, "/jwks"]


def test_keys_are_fetched_from_the_url_in_the_settings(provider: Provider, timer: Timer) -> None:
    assert found(ProviderKeys("https://login.example", f"{provider.url}/jwks", timer=timer)) == ["ec-1"]
    assert provider.asked == ["/jwks"]


def test_keys_are_fetched_again_when_they_are_old(
    provider: Provider, timer: Timer, keys: ProviderKeys
) -> None:
    found(keys)
    provider.keys = [ROTATED]

    timer.seconds += FRESH_SECONDS
    assert found(keys) == ["ec-1"]
    timer.seconds += 1
    assert found(keys) == []
    assert found(keys, "ec-2") == ["ec-2"]


def test_an_unknown_key_causes_another_fetch(provider: Provider, timer: Timer, keys: ProviderKeys) -> None:
    found(keys)
    provider.keys.append(ROTATED)

    timer.seconds += PAUSE_SECONDS
    assert found(keys, "ec-2") == ["ec-2"]
    assert len(provider.asked) == 4


def test_unknown_keys_do_not_cause_repeated_fetches(
    provider: Provider, timer: Timer, keys: ProviderKeys
) -> None:
    for number in range(50):
        assert found(keys, f"nonsense-{number}") == []
        timer.seconds += 0.1

    assert provider.asked == [DISCOVERY, "/jwks"]


def test_concurrent_requests_for_keys_cause_one_fetch(provider: Provider, keys: ProviderKeys) -> None:
    async def find_all() -> list[Any]:
        return await asyncio.gather(*[keys.find("ec-1") for _ in range(50)])

    results = asyncio.run(find_all())

    assert [len(result) for result in results] == [1] * 50
    assert provider.asked == [DISCOVERY, "/jwks"]


@pytest.mark.parametrize("way", BAD_WAYS, ids=lambda way: way.name.lower())
def test_without_valid_keys_the_provider_is_unavailable(
    provider: Provider, keys: ProviderKeys, way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    provider.way = way

    with pytest.raises(KeysUnavailable):
        found(keys)

    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize("way", BAD_WAYS, ids=lambda way: way.name.lower())
def test_the_last_valid_keys_are_used_while_the_provider_is_unavailable(
    provider: Provider, timer: Timer, keys: ProviderKeys, way: Way
) -> None:
    found(keys)
    provider.way = way

    timer.seconds += KEPT_SECONDS
    assert found(keys) == ["ec-1"]
    timer.seconds += 1
    with pytest.raises(KeysUnavailable):
        found(keys)


def test_a_failed_fetch_is_repeated_after_a_pause(
    provider: Provider, timer: Timer, keys: ProviderKeys
) -> None:
    provider.way = Way.WITH_AN_ERROR
    with pytest.raises(KeysUnavailable):
        found(keys)
    provider.way = Way.WELL

    timer.seconds += PAUSE_SECONDS - 1
    with pytest.raises(KeysUnavailable):
        found(keys)
    timer.seconds += 1
    assert found(keys) == ["ec-1"]


def test_nobody_waits_while_another_request_refreshes_old_keys(timer: Timer) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def fetch(_url: str) -> Any:
        begun.set()
        assert may_end.wait(10)
        return {"keys": [EC.as_dict(private=False)]}

    keys = ProviderKeys("https://login.example", "https://login.example/jwks", timer=timer, fetch=fetch)

    async def scenario() -> list[int]:
        may_end.set()
        await keys.find("ec-1")
        timer.seconds += FRESH_SECONDS + 1
        begun.clear()
        may_end.clear()
        slow = asyncio.create_task(keys.find("ec-1"))
        await asyncio.to_thread(begun.wait, 10)
        quick = await asyncio.wait_for(keys.find("ec-1"), 5)
        may_end.set()
        return [len(quick), len(await slow)]

    assert asyncio.run(scenario()) == [1, 1]


def test_unsupported_keys_are_ignored() -> None:
    weak = {"kty": "RSA", "n": "sXchTv3vTYQ", "e": "AQAB", "kid": "weak"}
    others: list[Any] = [
        {"kty": "ML-DSA"},
        {"kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"},
        {},
        [],
        None,
        weak,
    ]

    public: Any = RSA.as_dict(private=False)

    read = read_keys({"keys": [*others, public]})

    assert [key.get("kid") for key in read] == ["rsa-1"]


@pytest.mark.parametrize("document", [None, [], {}, {"keys": {}}, {"keys": []}, {"keys": [{}]}, "keys"])
def test_a_document_without_keys_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match=r"not a|no "):
        read_keys(document)


def test_the_number_of_keys_is_limited() -> None:
    many: list[Any] = [{"kty": "ML-DSA"}] * 100
    public: Any = EC.as_dict(private=False)

    with pytest.raises(ValueError, match="no usable key"):
        read_keys({"keys": [*many, public]})


def test_a_server_that_never_finishes_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faregate_server.identity.provider_keys._ATTEMPT_SECONDS", 0.2)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        with pytest.raises(ValueError, match="too slow"):
            fetch_json(f"http://127.0.0.1:{listening.getsockname()[1]}/jwks")
        thread.join()


def drip(listening: socket.socket) -> None:
    """Send a byte of a body now and then until the other side disconnects."""
    connection, _ = listening.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            for _ in range(1000):
                connection.sendall(b" ")
                threading.Event().wait(0.02)
        except OSError:
            pass


def test_a_server_that_does_not_speak_http_has_no_keys(timer: Timer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=mumble, args=(listening,))
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(KeysUnavailable):
            found(ProviderKeys(url, timer=timer))
        thread.join()


def mumble(listening: socket.socket) -> None:
    """Answer one request with invalid HTTP."""
    connection, _ = listening.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"220 mail.example\r\n\r\n")
