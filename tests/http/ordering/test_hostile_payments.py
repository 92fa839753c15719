"""Payments accept one total in several notations."""

import pytest

from support.payment.till import Shop, meal
from support.service.raw_requests import JSON, ask


@pytest.mark.parametrize("total", [b"20", b"20.0", b"20.00", b"2e1", b"200e-1", b"0.2E+2"])
def test_a_total_can_be_written_in_several_ways(till: Shop, total: bytes) -> None:
    path = till.opened(meal(1))
    body = b'{"expectedTotal": ' + total + b', "provider": "ON_SITE"}'

    reply = ask(till.client, "POST", f"{path}/payment", headers=JSON, body=body)

    assert (reply.status, reply.json()["data"]["status"]) == (200, "CLOSED")
