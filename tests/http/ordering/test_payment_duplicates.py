"""Fifty concurrent copies of a request: one effect with a key, no lost effect without one."""

import asyncio
from collections.abc import Sequence

import pytest
from httpx2 import Response

from faregate_http.store.records import PaymentDetailRow, PersonRow
from support.payment.till import Customer, Scene, meal, play, ride
from support.service.service import Json


def statuses(answers: Sequence[Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


Post = tuple[str, str, Json]

POSTS: dict[str, Post] = {
    "items": ("POST", "{}/items", {"items": [meal(2), ride(3)]}),
    "conditions": ("POST", "{}/checkout-conditions", {"formValues": {"donation": 5, "media": {"1": 2}}}),
    "vouchers": ("POST", "{}/vouchers", {"voucherCode": "MEMBERS"}),
    "quantity": ("PATCH", "{}/items/1/quantity", {"delta": 1}),
    "payment": ("POST", "{}/payment", {"expectedTotal": 20, "provider": "GATEWAY"}),
    "persons": ("POST", "/api/accounts/current/persons", {"values": {"firstName": "Ada"}}),
    "register": (
        "POST",
        "/api/payments/payment-details/register",
        {
            "redirectUrls": dict.fromkeys(("success", "error", "cancel"), "https://shop.example/x"),
            "isDefault": False,
            "paymentMethods": ["VIS"],
        },
    ),
    "schedule-deletion": ("POST", "/api/accounts/current/schedule-deletion", {}),
}

ONE_BY_ONE = {"quantity": 50, "persons": 50, "register": 49}
"""Number of effects of fifty requests without a key; at most 49 details fit."""

MAY_BE: dict[tuple[str, str | None], set[int]] = {("register", None): {409}, ("payment", None): {409}}


async def fifty(scene: Scene, post: Post, key: str | None) -> tuple[list[Response], str, Customer]:
    method, target, body = post
    [customer] = await scene.customers(1)
    path = await scene.branch(0).opened(meal(1), headers=customer.headers)
    headers = customer.headers if key is None else {**customer.headers, "idempotency-key": key}
    answers = await asyncio.gather(
        *(
            scene.branch(n).client.request(method, target.format(path), json=body, headers=headers)
            for n in range(50)
        )
    )
    return answers, path, customer


async def effects(scene: Scene, name: str, path: str, customer: Customer) -> int:
    """Return how often the effect took place."""
    client, store = scene.branch(1).client, scene.branch(1).services.store
    match name:
        case "persons":
            return len(await store.find(PersonRow, account=customer.account))
        case "register":
            return len(await store.find(PaymentDetailRow, account=customer.account)) - 1
        case "schedule-deletion":
            return 1
    shown = await client.get(path, headers=customer.headers)
    revision = int(shown.headers["etag"].strip('"').partition(".")[0])
    opened = 1
    return revision - opened - (name == "payment")  # a payment through the gateway begins and ends


@pytest.mark.parametrize(
    ("key", "number"),
    [(None, 2), ("k", 1), ("k", 2)],
    ids=["without-key", "with-key", "with-key-at-two-processes"],
)
@pytest.mark.parametrize("name", POSTS)
def test_fifty_concurrent_requests_lose_nothing_and_repeat_nothing(
    till_url: str, name: str, key: str | None, number: int
) -> None:
    async def behaviour(scene: Scene) -> None:
        answers, path, customer = await fifty(scene, POSTS[name], key)

        assert set(statuses(answers)) <= {200} | MAY_BE.get((name, key), set())
        wanted = statuses(answers).count(200) if key is None and name in ONE_BY_ONE else 1
        assert await effects(scene, name, path, customer) == wanted
        assert wanted == 1 or wanted > ONE_BY_ONE[name] - 4
        if key is not None and number == 1:
            assert len({answer.content for answer in answers}) == 1
            assert sum("idempotency-replayed" in answer.headers for answer in answers) == 49
        if name == "payment":
            assert scene.gateway.count("authorize") == 1
            books = await scene.settle_up()
            assert len(books.orders) == 1

    play(till_url, behaviour, number=number)
