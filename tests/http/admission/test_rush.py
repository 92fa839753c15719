"""A rush of new checkouts at a whole service."""

import asyncio
from collections import Counter
from pathlib import Path

from faregate_http.options import AdmissionLimits
from support.service.async_service import running_here
from support.service.service import day_ticket, new_url


async def rush(folder: Path, limits: AdmissionLimits) -> Counter[tuple[int, str]]:
    """Return statuses and codes of forty new checkouts at once, while one checkout changes four times."""
    async with running_here(folder, admission=limits) as (client, _):
        url = new_url()
        await client.post(f"{url}/items", json={"items": [day_ticket(1)]})
        changes = [client.patch(f"{url}/items/1/quantity", json={"delta": 1}) for _ in range(4)]
        new = [client.post(f"{new_url()}/items", json={"items": [day_ticket(1)]}) for _ in range(40)]
        answers = await asyncio.gather(*new, *changes)
        assert {answer.status_code for answer in answers[-4:]} == {200}
        return Counter((answer.status_code, answer.json().get("code", "")) for answer in answers[:-4])


def test_a_rush_of_new_checkouts_is_refused_and_begun_ones_go_on(tmp_path: Path) -> None:
    found = asyncio.run(rush(tmp_path, AdmissionLimits(2, 5, 5.0, 20.0)))

    assert found.keys() == {(200, ""), (503, "overloaded")}
    assert 1 <= found[200, ""] <= 7
    assert found.total() == 40
