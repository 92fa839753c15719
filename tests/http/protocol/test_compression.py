"""Bodies of 4 kB and more are compressed for clients that accept gzip, and have their own ETags."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from faregate_http.options import Options
from faregate_http.protocol.compression import MIN_BYTES, KeptBody, accepts_gzip, encoded, gzipped
from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.protocol.responses import Response
from faregate_server.settings import Settings
from support.service.raw_requests import CHANNEL, JSON, Headers, Reply, ask
from support.service.service import data_of, day_ticket, new_url, open_checkout, running

GZIP: Headers = (("accept-encoding", "gzip"),)

PRODUCT = "/api/products/day-ticket"
VALIDITIES = "/api/booking/products/11/journey/validities"
SUGGESTED = f"{VALIDITIES}/suggested"
LARGE = [PRODUCT, VALIDITIES]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("compressing")) as client:
        yield client


def plain_and_packed(client: TestClient, method: str, path: str) -> tuple[Reply, Reply]:
    return ask(client, method, path, headers=CHANNEL), ask(client, method, path, headers=(*CHANNEL, *GZIP))


@pytest.mark.parametrize(
    ("accept_encoding", "is_accepted"),
    [
        ("gzip", True),
        ("x-gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        (" gzip ; q=0.001 ", True),
        ("*", True),
        ("identity, gzip", True),
        ("identity;q=0, gzip;q=0.1", True),
        ("what is this?, gzip", True),
        ("", False),
        ("identity", False),
        ("br, deflate", False),
        ("gzip;q=0", False),
        ("x-gzip;q=0, *", False),
        ("gzip;q=0, *", False),
        ("gzip;q=0.5, identity", False),
        ("gzip;q=2", False),
        ("gzip;q=0.0001", False),
        ("gzip\n", False),
        (", " * 64 + "gzip", False),
    ],
)
def test_accept_encoding_decides_about_compression(accept_encoding: str, *, is_accepted: bool) -> None:
    assert accepts_gzip(accept_encoding) is is_accepted


@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_any_accept_encoding_header_can_be_read(accept_encoding: str) -> None:
    assert accepts_gzip(accept_encoding) in {True, False}


@given(st.binary(max_size=10_000))
def test_a_compressed_body_is_restored_exactly(body: bytes) -> None:
    assert gzip.decompress(gzipped(body)) == body
    assert gzipped(body) == gzipped(body)


def test_a_cached_body_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, body = ResponseCache(), bytes(MIN_BYTES)
    cache.put("question", 1, Response(200, body))
    kept = cache.get("question", 1)
    assert kept is not None

    first = encoded(kept, [(b"accept-encoding", b"gzip")])
    monkeypatch.setattr(zlib, "compress", None)
    second = encoded(kept, [(b"accept-encoding", b"gzip")])

    assert first.body is second.body
    assert gzip.decompress(second.body) == body


@pytest.mark.parametrize(("size", "is_kept"), [(MIN_BYTES - 1, False), (MIN_BYTES, True)])
def test_small_bodies_need_no_compressed_form(size: int, *, is_kept: bool) -> None:
    cache = ResponseCache()
    cache.put("question", 1, Response(200, bytes(size)))
    kept = cache.get("question", 1)

    assert kept is not None
    assert isinstance(kept.body, KeptBody) is is_kept


def test_several_headers_are_combined() -> None:
    response = Response(200, bytes(MIN_BYTES))

    refused = encoded(response, [(b"accept-encoding", b"*"), (b"accept-encoding", b"gzip;q=0")])
    accepted = encoded(response, [(b"accept-encoding", b"br"), (b"accept-encoding", b"gzip")])

    assert refused.body == response.body
    assert gzip.decompress(accepted.body) == response.body


@pytest.mark.parametrize("path", LARGE)
def test_a_large_body_is_compressed(client: TestClient, path: str) -> None:
    plain, packed = plain_and_packed(client, "GET", path)

    assert len(plain.body) >= MIN_BYTES
    assert plain.header("content-encoding") is None
    assert packed.header("content-encoding") == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3
    assert packed.header("content-length") == str(len(packed.body))
    assert packed.header("vary") == plain.header("vary")
    assert packed.header("vary") == "accept-language, service-channel-uuid, accept-encoding, origin"


@pytest.mark.parametrize("path", LARGE)
def test_head_agrees_with_get(client: TestClient, path: str) -> None:
    _, got = plain_and_packed(client, "GET", path)
    _, head = plain_and_packed(client, "HEAD", path)

    assert head == got._replace(body=b"")


@pytest.mark.parametrize("path", [SUGGESTED, "/api/products/nothing"])
def test_a_small_body_is_sent_uncompressed(client: TestClient, path: str) -> None:
    plain, packed = plain_and_packed(client, "GET", path)

    assert 0 < len(plain.body) < MIN_BYTES
    assert packed == plain
    assert "accept-encoding" not in (plain.header("vary") or "")


def test_a_large_problem_is_compressed(client: TestClient) -> None:
    path = f"/api/products/{'x' * MIN_BYTES}"
    plain, packed = plain_and_packed(client, "GET", path)

    assert (packed.status, packed.header("content-encoding")) == (404, "gzip")
    assert gzip.decompress(packed.body) == plain.body


def test_a_replayed_response_is_encoded_for_the_current_request(client: TestClient) -> None:
    keyed: Headers = (*JSON, ("idempotency-key", "once"))
    body, url = json.dumps({"items": [day_ticket(1)]}).encode(), f"{new_url()}/items"

    first = ask(client, "POST", url, headers=(*keyed, *GZIP), body=body)
    second = ask(client, "POST", url, headers=keyed, body=body)
    third = ask(client, "POST", url, headers=(*keyed, *GZIP), body=body)

    assert first.body == third.body
    assert gzip.decompress(first.body) == second.body
    assert first.header("etag") == third.header("etag")
    assert second.header("idempotency-replayed") == third.header("idempotency-replayed") == "true"


def test_an_explanation_is_not_confused_with_its_checkout(client: TestClient) -> None:
    url, _ = open_checkout(client, *(day_ticket(number) for number in range(1, 5)))
    for _ in range(3):
        for path in (url, f"{url}/explanation"):
            packed, plain = (ask(client, "GET", path, headers=(*CHANNEL, *accepts)) for accepts in (GZIP, ()))

            assert packed.header("content-encoding") == "gzip"
            assert gzip.decompress(packed.body) == plain.body


def tags(client: TestClient, path: str) -> tuple[str, str]:
    """Return the ETags of a plain and a compressed body."""
    plain, packed = (reply.header("etag") for reply in plain_and_packed(client, "GET", path))
    assert plain
    assert packed
    return plain, packed


@pytest.mark.parametrize("of", ["checkout", "explanation", "product"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accepts", [(), GZIP], ids=["plain", "gzip"])
@pytest.mark.parametrize("weak", ["", "W/"])
def test_a_304_names_the_form_that_the_client_has(
    client: TestClient, of: str, method: str, accepts: Headers, weak: str
) -> None:
    url, _ = open_checkout(client, *(day_ticket(number) for number in range(1, 5)))
    path = {"checkout": url, "explanation": f"{url}/explanation", "product": PRODUCT}[of]
    plain, packed = tags(client, path)

    replies = {
        tag: ask(client, method, path, headers=(*CHANNEL, *accepts, ("if-none-match", f"{weak}{tag}")))
        for tag in (plain, packed)
    }

    assert packed == f'{plain[:-1]}-gzip"'
    for tag, reply in replies.items():
        assert (reply.status, reply.body, reply.header("etag")) == (304, b"", tag)
        assert reply.header("content-encoding") is None
        assert "accept-encoding" in (reply.header("vary") or "")


def test_the_etag_of_either_form_guards_a_change(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    for number in range(2):
        before = tags(client, url)
        changed = client.patch(
            f"{url}/items/1/quantity", json={"delta": 1}, headers={"if-match": before[number]}
        )
        data_of(changed)
        for stale in before:
            refused = client.patch(f"{url}/items/1/quantity", json={"delta": 1}, headers={"if-match": stale})
            assert refused.status_code == 412


def test_with_compression_off_bodies_are_sent_uncompressed(tmp_path: Path) -> None:
    with running(tmp_path, compression=False) as client:
        plain, asked = plain_and_packed(client, "GET", PRODUCT)
        known: Headers = (*CHANNEL, *GZIP, ("if-none-match", f'{(plain.header("etag") or "")[:-1]}-gzip"'))
        again = ask(client, "GET", PRODUCT, headers=known)

    assert asked == plain
    assert asked.header("vary") == "accept-language, service-channel-uuid, origin"
    assert again.status == 304, "the proxy may use the same names for compressed bodies"


def test_compression_is_on_by_default() -> None:
    assert Options().compression
    assert Settings().options().compression
    assert not Settings(compression=False).options().compression
