"""Problems in the form of RFC 9457, in the language that the request prefers. Decisions §15."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from faregate.translations import LANGUAGES
from faregate_http.protocol.problems import (
    MOST_ERRORS,
    PROBLEM_TEXTS,
    ErrorView,
    Problem,
    ProblemText,
    pointer_to,
)
from support.service.service import new_url

# A pointer ends before a longer name.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def found(document: object, pointer: str) -> object:
    """Return the target of *pointer* (RFC 6901, 4)."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]  # type: ignore[index]
    return document


@given(st.lists(TEXT | st.integers(0, 3), max_size=6))
def test_a_pointer_leads_to_its_location(place: list[str | int]) -> None:
    document: object = "here"
    for step in reversed(place):
        document = {step: document} if isinstance(step, str) else [*["not here"] * step, document]

    assert found(document, pointer_to(tuple(place))) == "here"


def test_a_problem_states_everything_once() -> None:
    faults = [ErrorView("is missing", pointer="/a"), ErrorView("is known", header="b", code="id-used")]
    answer = Problem(409, "id-taken", errors=faults, headers=((b"a", b"b"),)).response("/x/y", "en")

    assert answer.status == 409
    assert answer.headers == (
        (b"content-type", b"application/problem+json"),
        (b"cache-control", b"no-store"),
        (b"content-language", b"en"),
        (b"a", b"b"),
    )
    assert json.loads(answer.body) == {
        "type": "urn:faregate:problem:id-taken",
        "title": "Item id taken",
        "status": 409,
        "detail": "The checkout already has a different item with this id.",
        "instance": "/x/y",
        "code": "id-taken",
        "errors": [
            {"reason": "is missing", "pointer": "/a"},
            {"reason": "is known", "header": "b", "code": "id-used", "title": "Item id used"},
        ],
    }


@pytest.mark.parametrize(
    ("language", "title", "detail"),
    [
        ("en", "Sold out", "Not enough units are left."),
        ("de", "Ausverkauft", "Es sind nicht mehr genug Plätze frei."),
        ("fr", "Complet", "Il ne reste pas assez de places."),
        ("it", "Esaurito", "Non restano abbastanza posti."),
    ],
)
def test_a_problem_is_in_the_language_of_the_response(language: str, title: str, detail: str) -> None:
    issues = [ErrorView("pool mountain has 3 places left", code="sold-out")]
    response = Problem(409, "checkout-conflict", errors=issues).response("/", language)

    [error] = json.loads(response.body)["errors"]
    assert (error["title"], error["reason"]) == (title, "pool mountain has 3 places left")
    assert json.loads(Problem(409, "sold-out").response("/", language).body)["detail"] == detail
    assert (b"content-language", language.encode()) in response.headers


@pytest.mark.parametrize("texts", PROBLEM_TEXTS.values(), ids=list(PROBLEM_TEXTS))
def test_every_code_has_a_title_and_a_sentence_in_each_language(texts: Mapping[str, ProblemText]) -> None:
    assert tuple(texts) == LANGUAGES
    for title, detail in texts.values():
        assert title == title.rstrip(".")
        assert detail.endswith(".")


def test_an_issue_may_point_to_the_whole_body() -> None:
    problem = Problem(422, "invalid-body", errors=[ErrorView("expected an object", pointer="")])

    errors = json.loads(problem.response("/", "en").body)["errors"]

    assert errors == [{"reason": "expected an object", "pointer": ""}]


@pytest.mark.parametrize("status", [status for status in HTTPStatus if status >= 400])
def test_a_code_without_texts_is_titled_by_its_status(status: HTTPStatus) -> None:
    body = json.loads(Problem(status, "x").response("/", "en").body)

    renamed = {413: "Content Too Large", 422: "Unprocessable Content"}  # RFC 9110, whatever Python says
    assert (body["status"], body["title"]) == (status, renamed.get(status, status.phrase))


def test_the_number_of_reported_issues_is_limited() -> None:
    problem = Problem(422, "x", errors=(ErrorView("x") for _ in range(10 * MOST_ERRORS)))

    assert len(json.loads(problem.response("/", "en").body)["errors"]) == MOST_ERRORS


@given(TEXT.map("/a{}".format))
def test_the_instance_is_a_reference_to_the_path(path: str) -> None:
    instance = json.loads(Problem(404, "x").response(path, "en").body)["instance"]

    reference = urlsplit(instance)
    assert instance.isascii()
    assert instance.isprintable()
    assert " " not in instance
    assert unquote(reference.path) == path
    assert (reference.scheme, reference.netloc, reference.query, reference.fragment) == ("", "", "", "")


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        pytest.param("/api/nothing", 404, "Introuvable", id="no such path"),
        pytest.param("/api/products/x%2fy", 404, "Introuvable", id="an encoded path"),
        pytest.param("/api/products/nothing", 404, "Produit inconnu", id="a refusal"),
        pytest.param("/api/products/day-ticket?x=1", 400, "En-têtes ou paramètres non valides", id="a query"),
    ],
)
def test_a_problem_is_in_the_language_of_the_request(
    client: TestClient, path: str, status: int, title: str
) -> None:
    response = client.get(path, headers={"accept-language": "es, fr-CH;q=0.8, de;q=0.5"})

    assert (response.status_code, response.json()["title"]) == (status, title)
    assert response.headers["content-language"] == "fr"


def test_a_replayed_problem_keeps_its_language(client: TestClient) -> None:
    url, body = f"{new_url()}/vouchers", {"voucherCode": "NOTHING"}
    key = {"idempotency-key": "k-1"}

    first = client.post(url, json=body, headers={**key, "accept-language": "de"})
    again = client.post(url, json=body, headers={**key, "accept-language": "it"})

    assert first.json()["title"] == again.json()["title"]
    assert again.headers["content-language"] == first.headers["content-language"] == "de"
