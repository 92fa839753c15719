"""A payment that expires at any point is settled in time or refunded."""

from uuid import uuid4

import pytest

from faregate_http.store.records import OrderRow, PaymentRow
from support.payment.interleaving import PointedStore, Points
from support.payment.till import Scene, play, ride
from support.service.service import Json


async def expiring(scene: Scene, points: Points, minutes: float, *, most: int = 40) -> int:
    """Turn the clock at each point, with others taking the capacity; return the number of points."""
    points.disarm()
    scene.gateway.before, scene.gateway.after = points.before, points.after
    for at in range(most):
        [customer] = await scene.customers(1)
        day = f"2027-{1 + at // 28:02}-{1 + at % 28:02}"
        validity = {"from": day, "to": day}
        wanted = [ride(n, validity=validity) for n in (1, 2, 3)]
        path = await scene.branch(0).opened(*wanted, headers=customer.headers)
        scene.clock.turn(minutes=14)

        async def turn(_point: str, wanted: list[Json] = wanted) -> None:
            """Turn the clock and take the capacity for another customer."""
            scene.clock.turn(minutes=minutes)
            await scene.branch(1).services.payments.work()
            body = {"items": wanted}
            await scene.branch(1).client.post(f"/api/checkout/{uuid4()}/items", json=body)

        points.arm(at, turn)
        answer = await scene.branch(0).pay(path, 120, customer.headers)
        has_happened = points.has_happened
        points.disarm()
        assert answer.status_code in {200, 409}, answer.text
        await check_in_time(scene, path, minutes)
        if not has_happened:
            return at
        scene.clock.turn(minutes=-14 - minutes)
    pytest.fail("the payment does not end")


async def check_in_time(scene: Scene, path: str, minutes: float) -> None:
    """Check that nothing is settled after the 15 minutes of a payment."""
    store = scene.branches[0].services.store
    checkout_id = path.rpartition("/")[2]
    for payment in await store.find(PaymentRow, checkout_id=checkout_id):
        orders = await store.find(OrderRow, id=checkout_id)
        assert (payment.status == "SETTLED") == bool(orders)
        for order in orders:
            assert order.created_at < payment.deadline, "settled too late"


@pytest.mark.long
@pytest.mark.parametrize("minutes", [15, 17, 31], ids=["over", "expired", "long-expired"])
def test_a_payment_that_expires_at_any_point_is_settled_or_cancelled(till_url: str, minutes: float) -> None:
    points = Points()

    async def behaviour(scene: Scene) -> int:
        number = await expiring(scene, points, minutes)
        await scene.settle_up()
        return number

    number = play(till_url, behaviour, wrap=lambda inner: PointedStore(inner, points))

    assert number > 8
    assert {"before authorize", "after authorize", "before save", "after save"} <= set(points.passed)
