"""Values that cannot be, in bodies of the right shape: refused by name, all of them, and nothing changes."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from serving.hostility import (
    ITEMS,
    PARKING,
    QUANTITY,
    REMOVED,
    USED,
    VOUCHERS,
    Row,
    dumped,
    filled_checkout,
    refuse,
)
from serving.raw_requests import ask, places, problem_of, reasons, snapshot
from serving.service import SUNDAY, Json, day_ticket, item, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


@pytest.fixture(scope="module")
def url(client: TestClient) -> str:
    return filled_checkout(client)


# ---------------------------------------------------------------- items

ITEM_FIELDS = list(day_ticket(20))


@pytest.mark.parametrize("field", ITEM_FIELDS)
def test_all_seven_fields_of_an_item_are_required(client: TestClient, url: str, field: str) -> None:
    without = {name: value for name, value in day_ticket(20).items() if name != field}

    refuse(
        client, url, ITEMS, Row(dumped({"items": [without]}), "invalid-body", (f"pointer /items/0/{field}",))
    )


def test_every_fault_of_every_item_is_told(client: TestClient, url: str) -> None:
    items = [{}, day_ticket(20, id=None, personId=0), day_ticket(21, validity={}, price=1)]
    expected = [f"pointer /items/0/{field}" for field in ITEM_FIELDS]
    expected += ["pointer /items/1/id", "pointer /items/1/personId"]
    expected += ["pointer /items/2/validity/from", "pointer /items/2/validity/to", "pointer /items/2/price"]

    refuse(client, url, ITEMS, Row(dumped({"items": items}), "invalid-body", tuple(expected)))


@pytest.mark.parametrize(
    "field",
    [
        "status",
        "totalGross",
        "listPriceGross",
        "vatRate",
        "isDeletable",
        "quantity",
        "copyOf",
        "component",
        "quote",
        "childItems",
        "product_variant_id",
        "variant",
        "",
    ],
)
def test_a_client_sets_nothing_of_an_item_that_is_not_its_own(
    client: TestClient, url: str, field: str
) -> None:
    body = dumped({"items": [{**day_ticket(20), field: 0}]})

    refuse(client, url, ITEMS, Row(body, "invalid-body", (f"pointer /items/0/{field}",)))


def moments() -> Iterator[tuple[str, str]]:
    """Validities that are none, by their from and to."""
    for nonsense in (
        "x",
        "2026-13-01",
        "2026-02-30",
        "26-12-27",
        "2026-12-27T25:00",
        "2026-12-27T10:00+25:00",
    ):
        yield nonsense, "2026-12-27"
        yield "2026-12-27", nonsense
    for nonsense in (
        "\uff12\uff10\uff12\uff16-12-27",
        "2026-12-27\u0000",
        "2026-12-27\n",
        " 2026-12-27",
        "0000-01-01",
        "-2026-12-27",
    ):
        yield nonsense, "2026-12-27"
    yield "2026-12-28", "2026-12-27"
    yield "2026-12-27T10:00:00+01:00", "2026-12-27T10:00:00+01:00"
    yield "1899-12-31", "1899-12-31"
    yield "0001-01-01", "0001-01-01"
    yield "9999-12-31", "9999-12-31"


@pytest.mark.parametrize("moment", list(moments()), ids=ascii)
def test_a_validity_that_is_none_is_422(client: TestClient, url: str, moment: tuple[str, str]) -> None:
    validity = dict(zip(("from", "to"), moment, strict=True))
    body = dumped({"items": [day_ticket(20, validity=validity)]})

    refuse(client, url, ITEMS, Row(body, "invalid-validity", ("pointer /items/0/validity",)))


IMPOSSIBLE_ITEMS = {
    "a variant nobody sells": ([day_ticket(20, 999)], "unknown-variant", "/items/0/productVariantId"),
    "the largest variant": ([day_ticket(20, 2**53 - 1)], "unknown-variant", "/items/0/productVariantId"),
    "a variant of another channel": ([day_ticket(20, 711)], "not-sold-here", "/items/0/productVariantId"),
    "a day ticket for no day": ([item(20, 101)], "validity-required", "/items/0/validity"),
    "a lunch for a day": ([item(20, 411, validity=SUNDAY)], "validity-not-wanted", "/items/0/validity"),
    "a day ticket for two days": (
        [day_ticket(20, validity={"from": "2026-12-27", "to": "2026-12-28"})],
        "not-bookable",
        "/items/0/validity",
    ),
    "a card nobody has": (
        [day_ticket(20, discountCardTypeId=99)],
        "unknown-discount-card",
        "/items/0/discountCardTypeId",
    ),
    "a person without an account": ([day_ticket(20, personId=1)], "unknown-person", "/items/0/personId"),
    "a parent that is not there": (
        [day_ticket(20, parentItemId=77)],
        "unknown-item",
        "/items/0/parentItemId",
    ),
    "itself as a parent": ([day_ticket(20, parentItemId=20)], "invalid-checkout", "/items/0/parentItemId"),
    "an origin that is not there": (
        [day_ticket(20, originatedItemId=77)],
        "unknown-item",
        "/items/0/originatedItemId",
    ),
    "itself as an origin": (
        [day_ticket(20, originatedItemId=20)],
        "unknown-item",
        "/items/0/originatedItemId",
    ),
    "insurance alone": ([item(20, 511, validity=SUNDAY)], "needs-parent", "/items/0/parentItemId"),
    "an id twice": ([day_ticket(20), day_ticket(20)], "invalid-checkout", "/items/1/id"),
    "an id that is taken": ([day_ticket(USED, 102)], "id-taken", "/items/0/id"),
    "an id that is taken, another day": (
        [day_ticket(USED, validity={"from": "2026-12-28", "to": "2026-12-28"})],
        "id-taken",
        "/items/0/id",
    ),
    "an id that was removed": ([day_ticket(REMOVED)], "id-used", "/items/0/id"),
    "a second car": ([PARKING | {"id": 20}], "unique-item", "/items/0/productVariantId"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE_ITEMS)
def test_an_item_that_cannot_be_is_refused(client: TestClient, url: str, name: str) -> None:
    items, code, pointer = IMPOSSIBLE_ITEMS[name]

    refuse(client, url, ITEMS, Row(dumped({"items": items}), code, (f"pointer {pointer}",)))


def test_one_fault_refuses_all_items_and_all_faults_are_told(client: TestClient, url: str) -> None:
    items = [
        day_ticket(20),
        day_ticket(21, 999, discountCardTypeId=99),
        item(22, 101),
        day_ticket(23, personId=8),
    ]
    expected = [
        "/items/1/productVariantId",
        "/items/1/discountCardTypeId",
        "/items/2/validity",
        "/items/3/personId",
    ]

    refuse(
        client,
        url,
        ITEMS,
        Row(dumped({"items": items}), "invalid-checkout", tuple(f"pointer {p}" for p in expected)),
    )


def test_all_conflicts_are_told(client: TestClient, url: str) -> None:
    items = [day_ticket(USED, 102), day_ticket(REMOVED), PARKING | {"id": 20}, day_ticket(21)]
    expected = ("pointer /items/0/id", "pointer /items/1/id", "pointer /items/2/productVariantId")

    refuse(client, url, ITEMS, Row(dumped({"items": items}), "checkout-conflict", expected))


def test_a_checkout_holds_no_more_than_500_items(client: TestClient, url: str) -> None:
    items = [item(100 + n, 411) for n in range(500)]

    refuse(client, url, ITEMS, Row(dumped({"items": items}), "too-many-items", ("pointer /items",)))


# ---------------------------------------------------------------- quantities

IMPOSSIBLE_DELTAS = {
    "nothing": (0, "invalid-delta"),
    "more than there are": (-2, "invalid-delta"),
    "far more than there are": (-1_000_000, "invalid-delta"),
    "more than there is room for": (497, "too-many-items"),
    "far more than there is room for": (1_000_000, "too-many-items"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE_DELTAS)
def test_a_quantity_that_cannot_be_is_422(client: TestClient, url: str, name: str) -> None:
    delta, code = IMPOSSIBLE_DELTAS[name]

    refuse(client, url, QUANTITY, Row(dumped({"delta": delta}), code, ("pointer /delta",)))


def test_a_second_car_cannot_be_had_by_quantity_either(client: TestClient, url: str) -> None:
    second = QUANTITY._replace(path="/items/3/quantity")

    refuse(client, url, second, Row(dumped({"delta": 1}), "unique-item", ("pointer /delta",)))


# ---------------------------------------------------------------- codes

LOOK_ALIKES = {
    "unknown": "SUMMER99",
    "blank": " ",
    "blanks": " \t \u00a0\u2003 ",
    "a NUL": "\u0000",
    "a NUL behind a good one": "GIFT-100\u0000",
    "a control character within": "GIFT\u0007-100",
    "a line break within": "GIFT\n-100",
    "Cyrillic": "S\u041aI59",
    "Greek": "S\u039a\u039959",
    "full width": "\uff33\uff2b\uff29\uff15\uff19",
    "a zero-width space": "SKI\u200b59",
    "a byte order mark": "\ufeffSKI59",
    "right to left": "\u202eSKI59",
    "a hyphen that is none": "GIFT\u2010100",
    "a soft hyphen": "SKI\u00ad59",
    "a combining mark": "SKI\u030159",
    "other digits": "SKI\u0665\u0669",
    "two codes": "SKI59 WINTER10",
    "a wildcard": "%",
    "SQL": "' OR '1'='1",
    "a template": "{{7*7}}${7*7}",
    "a path": "../../etc/passwd",
    "emoji": "😀",
    "64 characters": "x" * 64,
    "64 large characters": "😀" * 64,
    "a noncharacter": "\uffff",
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_code_that_nobody_knows_is_422(client: TestClient, url: str, name: str) -> None:
    problem = refuse(
        client,
        url,
        VOUCHERS,
        Row(dumped({"voucherCode": LOOK_ALIKES[name]}), "unknown-code", ("pointer /voucherCode",)),
    )

    assert reasons(problem) == ["there is no such code"]


# ---------------------------------------------------------------- conditions


PARTS = ("addressLine1", "addressLine2", "zip", "city", "state", "countryCode")
NO_FLAGS = [0, 1, 1.5, "true", "", [], [True]]
NO_LINES = [True, 7000, 1.5, [], ["CH"], "", "a\u0000b", "a\nb", "a\u2028", "\u009f", "x" * 201]
NO_ANSWER: dict[str, list[Any]] = {
    "/donation": [True, "", "1", "x", [], [1], -1, -0.01, 1e300, 10**60, 1.005, 1e-300, 10**10 + 1],
    "/weatherGuarantee": NO_FLAGS,
    "/acceptTerms": NO_FLAGS,
    "/newsletter": NO_FLAGS,
    "/billingAddress": [True, 0, "Chur", [], [{"city": "Chur"}]],
    "/shippingAddress": [True, 0, "Chur", [], [{"city": "Chur"}]],
    **{f"/billingAddress/{part}": NO_LINES for part in PARTS},
    **{f"/shippingAddress/{part}": NO_LINES for part in PARTS},
    "/billingAddress/zip": [*NO_LINES, "1" * 21],
    "/billingAddress/countryCode": [*NO_LINES, "ch", "CHE", "C", "\uff23\uff28", "CH\n", "??"],
    **{f"/billingAddress/{name}": ["x"] for name in ("id", "purpose", "", "a~1b", "Zip")},
    "/media": [True, 2, "1", [], [[1, 2]]],
    **{f"/media/{key}": [2] for key in ("0", "01", "x", "", "1.0", "-1", "99999999999", "\u0661", "1\n")},
    "/media/1": [True, "2", 0, -1, 1.5, [], [2], 10**60, 77],
    "/media/2": [2],  # a lunch has no medium
    "/media/77": [2],
    "/arrival": [True, 20261227, "", "x", "2026-02-30", "27.12.2026", "2026-12-27T10:00:00Z", []],
    "/hotel": [True, 1, "", "x" * 81, "a\u0000", "a\nb", "\u2028", "\u009f", []],
    "/guests": [True, "2", 0, -1, 61, 2.5, 2.0, 10**60, 1e300, []],
    "/heardFrom": [True, 1, "", "Friends", "friends ", []],
    **{
        f"/{name}": [1]
        for name in ("what", "", "status", "Donation", "donation ", "__proto__", "a~1b~0c", "$defs")
    },
}
ANSWERS = [(pointer, value) for pointer, values in NO_ANSWER.items() for value in values]


def answer_at(pointer: str, value: Any) -> Json:
    """Answers with *value* at *pointer*."""
    for step in reversed(pointer.split("/")[1:]):
        value = {step.replace("~1", "/").replace("~0", "~"): value}
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize("index", range(len(ANSWERS)))
def test_an_answer_that_the_form_does_not_take_is_422(client: TestClient, url: str, index: int) -> None:
    pointer, value = ANSWERS[index]
    before = snapshot(client, url)
    body = dumped({"formValues": answer_at(pointer, value)})

    reply = ask(client, "POST", f"{url}/checkout-conditions", body=body)

    problem = problem_of(reply, 422, reply.json()["code"])
    assert set(places(problem)) == {f"pointer /formValues{pointer}"}
    assert snapshot(client, url) == before


def test_all_faults_of_all_answers_are_told(client: TestClient, url: str) -> None:
    values = {"donation": -1, "hotel": 3, "billingAddress": {"zip": 7}, "what": 1, "media": {"x": 2}}
    before = snapshot(client, url)

    reply = ask(client, "POST", f"{url}/checkout-conditions", body=dumped({"formValues": values}))

    problem = problem_of(reply, 422, "invalid-checkout")
    expected = ["/donation", "/hotel", "/billingAddress/zip", "/what", "/media/x"]
    assert sorted(places(problem)) == sorted(f"pointer /formValues{pointer}" for pointer in expected)
    assert snapshot(client, url) == before
