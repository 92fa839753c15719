"""Of many concurrent forms of the sandbox page, one ends the registration."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from support.payment.registering import Customer, page_of, paying, service_on


@pytest.mark.parametrize("processes", [1, 2])
def test_one_of_many_concurrent_forms_ends_the_registration(tmp_path: Path, processes: int) -> None:
    with paying(tmp_path) as client:
        customer = Customer.new(client)
        transaction = customer.register()
        fields = page_of(client, transaction).fields

        answers = asyncio.run(at_once(tmp_path, customer.page(transaction), fields, processes))

        statuses = [answer.status_code for answer in answers]
        [first] = [answer for answer in answers if answer.status_code == 303]
        assert sorted(statuses) == [303] + [409] * 29
        ended = customer.stored(transaction)
        assert ended.revision == 2
        pages = {"ACTIVE": "success", "DECLINED": "error"}
        assert f"/{pages[ended.status]}?" in first.headers["location"]


async def at_once(folder: Path, url: str, fields: dict[str, str], processes: int) -> list[Any]:
    """Return the responses to thirty forms, sent to several independent services on one file."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(service_on(folder)) for _ in range(processes)]
        posts = [
            clients[n % processes].post(url, data={**fields, "action": action})
            for n, action in enumerate(["succeed", "succeed", "decline"] * 10)
        ]
        return await asyncio.gather(*posts)
