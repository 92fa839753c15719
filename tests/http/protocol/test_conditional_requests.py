"""``If-None-Match`` saves a transfer, ``If-Match`` guards a change."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from support.hostile.hostility import TARGETS, dumped, filled_checkout
from support.service.async_service import running_here
from support.service.raw_requests import CHANNEL, ask, problem_of, snapshot
from support.service.service import Clock, data_of, day_ticket, item, new_url, running

CHANGES = {name: (target.method, target.path, dumped(target.good)) for name, target in TARGETS.items()}
CHANGES |= {"remove": ("DELETE", "/items?itemId=2", b""), "drop": ("DELETE", "/vouchers/WINTER10", b"")}


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("conditions"), clock=clock) as client:
        yield client


@pytest.fixture
def url(client: TestClient) -> str:
    return filled_checkout(client)


def change(client: TestClient, url: str, name: str, if_match: str) -> Response:
    method, path, body = CHANGES[name]
    headers = {"if-match": if_match, "content-type": "application/json"}
    return client.request(method, url + path, content=body, headers=headers)


def revision_of(response: Response) -> int:
    return int(response.headers["etag"].strip('"').partition(".")[0])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', '{} , "y"', "*"])
def test_a_current_body_is_not_sent_again(client: TestClient, url: str, method: str, form: str) -> None:
    etag = client.get(url).headers["etag"]

    reply = ask(client, method, url, headers=(*CHANNEL, ("if-none-match", form.format(etag))))

    assert (reply.status, reply.body) == (304, b"")
    assert reply.header("etag") == etag
    assert reply.header("vary") == "accept-language, service-channel-uuid, accept-encoding, origin"
    assert reply.header("api-version") == "2025-02-18"
    assert reply.header("content-length") is None


def test_another_language_revision_or_status_is_sent(client: TestClient, url: str, clock: Clock) -> None:
    had = {"if-none-match": client.get(url).headers["etag"]}

    german = client.get(url, headers={**had, "accept-language": "de"})
    data_of(client.patch(f"{url}/items/1/quantity", json={"delta": 1}))
    changed = client.get(url, headers=had)
    had = {"if-none-match": changed.headers["etag"]}
    clock.turn(minutes=29, seconds=59)
    unchanged = client.get(url, headers=had)
    clock.turn(seconds=1)
    expired = client.get(url, headers=had)

    assert [german.status_code, changed.status_code, unchanged.status_code] == [200, 200, 304]
    assert data_of(expired)["status"] == "EXPIRED"
    assert expired.headers["etag"] != changed.headers["etag"]


def test_an_unknown_checkout_is_404_and_never_304(client: TestClient) -> None:
    response = client.get(new_url(), headers={"if-none-match": "*"})

    assert response.status_code == 404


def test_a_change_ignores_if_none_match(client: TestClient, url: str) -> None:
    response = client.patch(f"{url}/items/1/quantity", json={"delta": 1}, headers={"if-none-match": "*"})

    assert response.status_code == 200


def test_one_etag_means_one_body(client: TestClient, url: str) -> None:
    bodies: dict[str, bytes] = {}
    for delta in (1, -1, 1, 2, -3):
        changed = client.patch(f"{url}/items/1/quantity", json={"delta": delta})
        for language in ("en", "de", "fr", "it"):
            shown = client.get(url, headers={"accept-language": language})
            assert bodies.setdefault(shown.headers["etag"], shown.content) == shown.content
        assert bodies[changed.headers["etag"]] == changed.content

    assert len(bodies) == 20


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("form", ["{}", "*"])
def test_a_change_to_the_current_revision_is_made(client: TestClient, url: str, name: str, form: str) -> None:
    seen = client.get(url)

    changed = change(client, url, name, form.format(seen.headers["etag"]))

    assert changed.status_code == 200
    assert revision_of(changed) == revision_of(seen) + 1


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("form", ["{stale}", "W/{now}"])
def test_a_change_to_any_other_revision_is_412(client: TestClient, url: str, name: str, form: str) -> None:
    stale = client.get(url)
    data_of(client.patch(f"{url}/items/1/quantity", json={"delta": 1}))
    tags = {"stale": stale.headers["etag"], "now": client.get(url).headers["etag"]}
    before = snapshot(client, url)

    refused = change(client, url, name, form.format(**tags))

    assert refused.status_code == 412
    assert refused.json()["code"] == "changed-meanwhile"
    assert snapshot(client, url) == before


@pytest.mark.parametrize("if_match", ["*", '"0"', '"1"', '""'])
def test_if_match_fails_before_the_checkout_exists(client: TestClient, if_match: str) -> None:
    url = new_url()

    refused = client.post(f"{url}/items", json={"items": [day_ticket(1)]}, headers={"if-match": if_match})

    assert refused.status_code == 412
    assert client.get(url).status_code == 404


def test_a_retry_that_would_change_nothing_is_412_as_well(client: TestClient, url: str) -> None:
    seen = client.get(url).headers["etag"]

    first, second = (change(client, url, "items", seen) for _ in range(2))

    assert [first.status_code, second.status_code] == [200, 412]


def test_an_unchangeable_checkout_says_so_first(client: TestClient, url: str, clock: Clock) -> None:
    clock.turn(minutes=30)

    refused = change(client, url, "quantity", '"77"')

    assert (refused.status_code, refused.json()["code"]) == (409, "checkout-expired")


def test_invalid_conditions_are_reported_together(client: TestClient, url: str) -> None:
    headers = (*CHANNEL, ("if-match", "x"), ("if-none-match", "y"))

    problem = problem_of(ask(client, "GET", url, headers=headers), 400, "invalid-request")

    assert [error["header"] for error in problem["errors"]] == ["if-match", "if-none-match"]
    assert problem["errors"][0]["reason"] == "expected * or entity tags in quotes, got 'x'"


def test_only_one_of_many_changes_to_one_revision_is_made(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_here(tmp_path) as (client, _):
            url = new_url()
            opened = await client.post(f"{url}/items", json={"items": [item(1, 411)]})
            guard = {"if-match": opened.headers["etag"]}

            answers = await asyncio.gather(
                *(
                    client.patch(f"{url}/items/1/quantity", json={"delta": n}, headers=guard)
                    for n in range(1, 21)
                )
            )

            statuses = sorted(answer.status_code for answer in answers)
            assert statuses == [200, *[412] * 19]
            shown = await client.get(url)
            assert shown.content == next(a for a in answers if a.status_code == 200).content

    asyncio.run(run())
