"""Texts of the JSONTestSuite as bodies of every operation that takes one: read as JSON, or refused.

All operations agree where the suite leaves it open and where decisions §15 are stricter than the grammar.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from faregate_http.app import OPERATIONS
from faregate_http.operations import Operation
from support.service.raw_requests import JSON, Headers, ask
from support.service.service import day_ticket, open_checkout, running

FILE = Path(__file__).with_name("json_texts.json")

# Valid by the grammar, although the meaning of duplicate keys is undefined.
REFUSED_BY_DECISION = {"y_object_duplicated_key", "y_object_duplicated_key_and_value"}
# Left open by the suite. Its other open texts are out of range, too deep, not UTF-8, or half a character.
TAKEN_BY_DECISION = {
    "i_number_too_big_neg_int",
    "i_number_too_big_pos_int",
    "i_number_very_big_negative_int",
}


class Text(NamedTuple):
    """A text of the suite with its expected result: accept, reject or implementation_defined."""

    name: str
    expected: str
    body: bytes

    @property
    def is_taken(self) -> bool:
        """True if the service should read the text as JSON."""
        if self.expected == "implementation_defined":
            return self.name in TAKEN_BY_DECISION
        return self.expected == "accept" and self.name not in REFUSED_BY_DECISION


def texts() -> Iterator[Text]:
    """Yield all texts of the suite."""
    for case in json.loads(FILE.read_bytes()):
        if "base64" in case:
            body = base64.b64decode(case["base64"])
        else:
            body = (case["text"] * case["times"] + case.get("end", "")).encode()
        yield Text(case["name"], case["expected"], body)


TEXTS = [*texts()]
WITH_BODY = [operation for operation in OPERATIONS if operation.body]


class Scene(NamedTuple):
    """A service with a checkout and a customer, which the texts do not change."""

    client: TestClient
    checkout: str
    headers: Headers


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with running(tmp_path_factory.mktemp("texts"), is_development=True) as client:
        url, _ = open_checkout(client, day_ticket(1))
        token = client.post("/dev/identity/token", json={}).json()["id_token"]
        entered = client.post("/api/accounts/authenticate", json={"idToken": token})
        bearer = ("authorization", f"Bearer {entered.headers['access-token']}")
        yield Scene(client, url.rpartition("/")[2], (*JSON, bearer))


def test_the_test_suite_is_complete() -> None:
    expected = [text.expected for text in TEXTS]

    assert len({text.name for text in TEXTS}) == len(TEXTS) == 316
    assert (expected.count("accept"), expected.count("reject")) == (94, 187)
    assert {text.name[0] for text in TEXTS if text.expected == "reject"} == {"n"}
    assert {text.name for text in TEXTS} > REFUSED_BY_DECISION | TAKEN_BY_DECISION


@pytest.mark.parametrize("operation", WITH_BODY, ids=[operation.name for operation in WITH_BODY])
def test_a_body_is_read_only_if_it_is_valid_json(scene: Scene, operation: Operation) -> None:
    path = operation.path.format(checkoutId=scene.checkout, itemId=1, personId=1)
    answered = {}
    for text in TEXTS:
        reply = ask(scene.client, operation.method, path, headers=scene.headers, body=text.body)
        answered[text.name] = reply.status, reply.json()["code"]

    assert answered == {
        text.name: (422, "invalid-body") if text.is_taken else (400, "invalid-json") for text in TEXTS
    }
