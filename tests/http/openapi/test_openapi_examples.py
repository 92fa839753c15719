"""Examples in the OpenAPI document come from the demo resort, which accepts their requests.

``FAREGATE_RECORD=examples pytest tests/http/openapi/test_openapi_examples.py`` records them again.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import faregate_http.openapi
from faregate_http.app import OPERATIONS
from support.service.service import Json, item, running
from support.specification.documented_examples import METHODS, REFUSALS, tell
from support.specification.example_paths import example_path
from support.specification.inlining import inlined
from support.specification.openapi_conformity import DOCUMENT, resolved, validator

KEPT = Path(faregate_http.openapi.__file__).with_name("examples.json")


def described(name: str) -> Json:
    """Return an operation of the document."""
    (found,) = (
        operation
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        if operation["operationId"] == name
    )
    return found  # type: ignore[no-any-return]


def examples(content: Json) -> dict[str, Any]:
    """Return the examples of the only media type of *content* by name."""
    ((_, media),) = content.items()
    return {name: resolved(part)["value"] for name, part in media.get("examples", {}).items()}


def misfits(schema: Json, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]


def written(told: Json) -> str:
    """Return the content of the file of examples, with one example per line."""
    parts = [
        f'"{part}": {{\n'
        + ",\n".join(f'"{name}": {json.dumps(told[part][name], ensure_ascii=False)}' for name in told[part])
        + "\n}"
        for part in ("operations", "problems")
    ]
    return "{" + ",\n".join(parts) + "}\n"


def test_the_examples_are_responses_of_the_demo_resort(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        told = inlined(tell(client))

    if os.environ.get("FAREGATE_RECORD") == "examples":
        KEPT.write_text(written(told), "utf-8")
    kept = json.loads(KEPT.read_bytes())
    for part in ("operations", "problems"):
        assert list(told[part]) == list(kept[part])
        for name in told[part]:
            assert told[part][name] == kept[part][name], name


@pytest.mark.parametrize("name", METHODS)
def test_an_operation_has_examples_of_its_body_and_its_response(name: str) -> None:
    operation = described(name)

    assert examples(operation["responses"]["200"]["content"])
    if "requestBody" in operation:
        assert examples(operation["requestBody"]["content"])


@pytest.mark.parametrize("name", METHODS)
def test_examples_match_their_schemas(name: str) -> None:
    operation = described(name)
    contents = [response["content"] for response in operation["responses"].values() if "content" in response]
    contents += [operation["requestBody"]["content"]] if "requestBody" in operation else []

    for content in contents:
        ((_, media),) = content.items()
        for example in examples(content).values():
            assert misfits(media["schema"], example) == []


def test_every_refusal_that_can_be_provoked_has_an_example() -> None:
    recorded = {f"{refusal.status}-{refusal.code}" for refusal in REFUSALS} | {"422-terms-not-accepted"}
    of_operations = {
        part["$ref"].rpartition("/")[2]
        for name in METHODS
        for status, response in described(name)["responses"].items()
        if status >= "400"
        for part in response["content"]["application/problem+json"].get("examples", {}).values()
    }

    assert set(DOCUMENT["components"]["examples"]) == recorded == of_operations


@pytest.fixture(scope="module")
def resort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield the demo resort with the checkout of the examples, for a customer who has logged in."""
    with running(tmp_path_factory.mktemp("resort"), is_development=True) as client:
        token = client.post("/dev/identity/token", json={}).json()["id_token"]
        entered = client.post("/api/accounts/authenticate", json={"idToken": token})
        client.headers["authorization"] = f"Bearer {entered.headers['access-token']}"
        yield client


QUERIES = [
    (operation, parameter.name, example)
    for operation in OPERATIONS
    for parameter in operation.query
    for example in parameter.schema.get("examples", [])  # type: ignore[attr-defined]
]


@pytest.mark.parametrize(
    ("operation", "name", "example"), QUERIES, ids=[f"{op.name}-{name}" for op, name, _ in QUERIES]
)
def test_query_examples_are_accepted(resort: TestClient, operation: Any, name: str, example: Any) -> None:
    url = example_path(operation.path)
    if "checkout" in url:
        items = {"items": [item(1, 411), item(2, 411)]}
        resort.post(url, json=items)
    required = {part.name: part.schema["examples"][0] for part in operation.query if part.is_required}
    value = str(example).lower() if isinstance(example, bool) else example

    response = resort.request(operation.method, url, params={**required, name: value})

    assert response.status_code == 200, response.text
