"""Forms that the page of the sandbox must refuse: exactly how, and that they change nothing."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from serving.paying import FORM, PAGES, page_of, paying
from serving.paying_scene import Scene, in_state
from serving.raw_requests import Reply, ask


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with paying(tmp_path_factory.mktemp("hostile")) as client:
        yield Scene.new(client)


def page_reply(scene: Scene, target: str, body: bytes | None = None, kind: str | None = FORM) -> Reply:
    """What the page answers to a form, or without one."""
    headers = [("host", "testserver"), *([("content-type", kind)] if kind else [])]
    method = "GET" if body is None else "POST"
    return ask(scene.client, method, target, headers=headers, body=body or b"")


UNKNOWN_PAGES = [
    *("0" * 32, "0", "x" * 32, "F" * 32, "0" * 31, "0" * 33, "0" * 5000, "%00", "%0a", "..%2f", "'", "%ff"),
    "\u0660" * 32,
]


@pytest.mark.parametrize("transaction", UNKNOWN_PAGES)
@pytest.mark.parametrize("body", [None, b"action=succeed"])
def test_a_page_that_there_is_not_is_404(scene: Scene, transaction: str, body: bytes | None) -> None:
    reply = page_reply(scene, f"{PAGES}/{transaction}", body)

    assert reply.status == 404
    if reply.header("content-type") == "text/html; charset=utf-8":
        assert b"There is no such registration." in reply.body


def test_a_transaction_is_written_in_one_way(scene: Scene) -> None:
    for written in (scene.open.upper(), f"{scene.open}%0a", f"{scene.open}/", f"{scene.open}%00"):
        if written != scene.open:
            assert page_reply(scene, f"{PAGES}/{written}").status == 404, written


FORMS: dict[str, tuple[dict[str, str] | bytes, int]] = {
    "nothing": (b"", 403),
    "no token": ({"action": "succeed", "method": "VIS", "instrument": "pays"}, 403),
    "an empty token": ({"token": "", "action": "cancel"}, 403),
    "a guessed token": ({"token": "A" * 32, "action": "cancel"}, 403),
    "a token of other letters": ({"token": "\u00e9" * 32, "action": "cancel"}, 403),
    "half a token": ({"token": "{half}", "action": "cancel"}, 403),
    "the token in capitals": ({"token": "{capitals}", "action": "cancel"}, 403),
    "no action": ({"token": "{token}", "method": "VIS", "instrument": "pays"}, 422),
    "another action": ({"token": "{token}", "action": "refund"}, 422),
    "an action in capitals": ({"token": "{token}", "action": "CANCEL"}, 422),
    "no method": ({"token": "{token}", "action": "succeed", "instrument": "pays"}, 422),
    "a method that was not asked for": (
        {"token": "{token}", "action": "succeed", "method": "TWI", "instrument": "pays"},
        422,
    ),
    "a method that there is not": (
        {"token": "{token}", "action": "succeed", "method": "<b>", "instrument": "pays"},
        422,
    ),
    "no instrument": ({"token": "{token}", "action": "succeed", "method": "VIS"}, 422),
    "another instrument": (
        {"token": "{token}", "action": "succeed", "method": "VIS", "instrument": "gold"},
        422,
    ),
    "an alias for an instrument": (
        {"token": "{token}", "action": "succeed", "method": "VIS", "instrument": "pays:forged"},
        422,
    ),
    "a field that there is not": ({"token": "{token}", "action": "cancel", "alias": "pays:1"}, 400),
    "a field twice": (b"token={token}&action=cancel&action=succeed", 400),
    "the token twice": (b"token={token}&token={token}&action=cancel", 400),
    "very many fields": (b"token={token}&action=cancel" + b"&a=1" * 10, 400),
    "no pairs": (b"token", 400),
    "JSON": (b'{"action": "cancel"}', 400),
    "bytes that are no text": (b"token=\xff\xfe&action=cancel", 400),
    "escapes that are no text": (b"token=%ff&action=cancel", 400),
    "a very long form": (b"token={token}&action=cancel&method=" + b"a" * 4096, 413),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_is_not_the_pages_is_refused(scene: Scene, name: str) -> None:
    fields, status = FORMS[name]
    token = page_of(scene.client, scene.open).fields["token"]
    named = {"{token}": token, "{half}": token[:16], "{capitals}": token.swapcase()}
    if isinstance(fields, dict):
        fields = urlencode({key: named.get(value, value) for key, value in fields.items()}).encode()
    before = in_state(scene)

    reply = page_reply(scene, f"{PAGES}/{scene.open}", fields.replace(b"{token}", token.encode()))

    assert reply.status == status
    assert reply.header("content-type") == "text/html; charset=utf-8"
    assert token.encode() not in reply.body
    assert in_state(scene) == before


KINDS = [None, "", "text/plain", "multipart/form-data; boundary=x", "application/json", f"{FORM}; charset=x"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_form_of_another_type_is_refused(scene: Scene, kind: str | None) -> None:
    token = page_of(scene.client, scene.open).fields["token"]
    before = in_state(scene)

    reply = page_reply(scene, f"{PAGES}/{scene.open}", f"token={token}&action=cancel".encode(), kind)

    assert reply.status == 415
    assert in_state(scene) == before
