"""The pool units that a checkout holds, and the capacity check for a change. Decisions §11.6, §11.7."""

from datetime import date

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage, PoolUse, TimeSlot
from faregate.checkout.held_units import check_capacity, units_held_by
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.dates.instants import Interval, parse_interval
from faregate.errors import CheckoutConflict, IssueCode
from support.shops.booking_shop import (
    ADULT,
    FAMILY,
    FOUR_HOURS,
    MOUNTAIN,
    PARK,
    THREE_DAYS,
    ZURICH,
    at,
    shop,
    ticket,
    variant,
)

SATURDAY, SUNDAY = date(2026, 12, 26), date(2026, 12, 27)
ON_SATURDAY, ON_SUNDAY = PoolSlot(MOUNTAIN, SATURDAY), PoolSlot(MOUNTAIN, SUNDAY)
RESORT = shop(
    ticket(
        variant(ADULT),
        variant(FAMILY, uses=((MOUNTAIN, 4),)),
        durations=(THREE_DAYS,),
        pools=(PoolUse(MOUNTAIN),),
    ),
    pools=(Pool(identifier=MOUNTAIN, size=9),),
)


def valid(first: str, last: str) -> Interval:
    return parse_interval(first, last, ZURICH)


WEEKEND = valid("2026-12-26", "2026-12-27")


def of(*items: tuple[int, Interval | None]) -> Checkout:
    """Return a checkout with these variants and validities."""
    return Checkout("web", tuple(CheckoutItem(n, *item) for n, item in enumerate(items, 1)))


def test_the_items_of_a_checkout_take_their_places_together() -> None:
    checkout = of(
        (ADULT, WEEKEND), (FAMILY, WEEKEND), (ADULT, valid("2026-12-27", "2026-12-27")), (ADULT, None)
    )

    assert units_held_by(checkout, catalogue=RESORT) == {ON_SATURDAY: 5, ON_SUNDAY: 6}


def refusal(
    wanted: dict[PoolSlot, int],
    held: dict[PoolSlot, int],
    taken: dict[PoolSlot, PoolUsage],
    catalogue: Catalogue = RESORT,
) -> str | None:
    """Return the message with which a change is refused, or None."""
    try:
        check_capacity(wanted, held, catalogue=catalogue, capacity=taken)
    except CheckoutConflict as error:
        (fault,) = error.issues
        assert (fault.loc, fault.code) == (("items",), IssueCode.SOLD_OUT)
        return fault.message
    return None


def test_a_party_fits_down_to_the_last_place() -> None:
    taken = {ON_SUNDAY: PoolUsage(sold=3, held=2)}

    assert refusal({ON_SUNDAY: 4}, {}, taken) is None
    assert refusal({ON_SUNDAY: 5}, {}, taken) == "expected at most 4 units of pool mtn on 2026-12-27, got 5"


def test_held_places_are_kept_when_others_have_taken_everything() -> None:
    full = {ON_SUNDAY: PoolUsage(sold=9)}

    assert refusal({ON_SUNDAY: 2, ON_SATURDAY: 1}, {ON_SUNDAY: 2}, full) is None
    assert refusal({ON_SUNDAY: 1}, {ON_SUNDAY: 2}, full) is None
    assert (
        refusal({ON_SUNDAY: 1}, {ON_SATURDAY: 1}, full)
        == "expected at most 0 units of pool mtn on 2026-12-27, got 1"
    )
    assert (
        refusal({ON_SUNDAY: 3}, {ON_SUNDAY: 2}, full)
        == "expected at most 0 units of pool mtn on 2026-12-27, got 3"
    )


def test_a_time_slot_is_named_by_its_start() -> None:
    ten, two = at("2026-12-27T10:00"), at("2026-12-27T14:00")
    hours = TimeSlot(ten.time(), two.time())
    rink = shop(
        ticket(durations=(FOUR_HOURS,), pools=(PoolUse(PARK),)),
        pools=(Pool(identifier=PARK, size=1, slots=(hours,)),),
    )
    wanted = units_held_by(of((ADULT, Interval(ten, two)), (ADULT, Interval(ten, two))), catalogue=rink)

    assert wanted == {PoolSlot(PARK, SUNDAY, ten.time()): 2}
    assert refusal(wanted, {}, {}, rink) == "expected at most 1 units of pool park on 2026-12-27 10:00, got 2"
