"""Every hostile request is refused as its table says, changes nothing that is kept, and takes no time."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from serving import (
    hostile_details,
    hostile_gate,
    hostile_offers,
    hostile_orders,
    hostile_pages,
    hostile_payment,
    hostile_persons,
    hostility,
)
from serving.hostile_families import GOOD, NOT_OF, ROWS
from serving.hostile_world import worlds_in
from serving.hostility import Family, Kind, Outcome, Plain, Refusal, Request, Row, World, fault_of

LEAST_ROWS = 70
TABLES = [(family, kind) for family in Family for kind in Kind if kind not in NOT_OF.get(family, ())]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[Family, World]]:
    with worlds_in(tmp_path_factory.mktemp("hostile")) as worlds:
        yield worlds


@pytest.mark.parametrize(
    ("family", "kind"), TABLES, ids=[f"{family.value}: {kind.value}" for family, kind in TABLES]
)
def test_hostile_requests_get_what_their_table_says_and_change_nothing(
    worlds: Mapping[Family, World], family: Family, kind: Kind
) -> None:
    rows = [row for row in ROWS[family] if row.kind is kind]

    found = [fault for row in rows if (fault := fault_of(worlds[family], row))]

    assert rows, "there is no such table"
    assert not found, "\n".join([f"{len(found)} of {len(rows)}:", *found[:20]])


@pytest.mark.parametrize("family", Family, ids=[family.value for family in Family])
def test_each_family_has_its_tables(family: Family) -> None:
    names = [(row.kind, row.name) for row in ROWS[family]]

    assert len(names) >= LEAST_ROWS
    assert {kind for kind, _ in names} == set(Kind) - NOT_OF.get(family, frozenset())


def test_what_is_spoilt_is_answered_well_as_it_is(tmp_path: Path) -> None:
    """Else it could be refused for another reason."""
    with worlds_in(tmp_path) as worlds:
        replies = [
            (family, name, worlds[family].asked(request))
            for family, requests in GOOD.items()
            for name, request in requests.items()
        ]

    refused = [(family.value, name, reply.body) for family, name, reply in replies if reply.status >= 400]
    assert not refused


# ---------------------------------------------------------------- what is of others

OF_OTHERS = {
    "a checkout": (hostility.GET, "<checkout>", "<foreign bound>", "/api/checkout/<unknown>"),
    "an item": (hostility.ADD, "<checkout>", "<foreign bound>", "/api/checkout/x"),
    "a payment": (hostile_payment.STATUS, "<payable>", "<foreign bound>", "/api/checkout/<unknown>"),
    "a person": (hostile_persons.CHANGE, "<person>", "<foreign person>", "12345"),
    "a means of payment": (hostile_details.UNSET, "<detail>", "<foreign detail>", "12345"),
    "an order": (hostile_orders.NOTICES, "<order>", "<foreign order>", "<unknown>"),
    "a product": (hostile_offers.LIST, "/11/", "/71/", "/99/"),
    "a page": (hostile_offers.SHOW, "day-ticket", "partner-day-ticket", "nothing"),
}


@pytest.mark.parametrize(("request_", "own", "foreign", "unknown"), OF_OTHERS.values(), ids=OF_OTHERS)
def test_what_is_of_others_looks_as_if_there_were_none(
    worlds: Mapping[Family, World], request_: Request, own: str, foreign: str, unknown: str
) -> None:
    resort = worlds[Family.CHECKOUT]

    of_another, of_nobody = (
        resort.asked(request_._replace(target=request_.target.replace(own, name)))
        for name in (foreign, unknown)
    )

    named = [resort.filled(name).encode() for name in (foreign, unknown)]
    assert of_another.status == of_nobody.status == 404
    assert of_another.body.replace(named[0], named[1]) == of_nobody.body


# ---------------------------------------------------------------- what a table would find


def test_a_request_that_changes_something_is_found(tmp_path: Path) -> None:
    row = Row(Kind.IDS, "an item", hostility.ADD, Plain(200))

    with worlds_in(tmp_path) as worlds:
        found = fault_of(worlds[Family.CHECKOUT], row)

    assert found is not None
    assert found.startswith("an item: something has changed")


@pytest.mark.parametrize(
    ("outcome", "said"), [(Plain(404), "calculated"), (Refusal(404, "unknown-checkout"), "calculated")]
)
def test_another_answer_is_found(worlds: Mapping[Family, World], outcome: Outcome, said: str) -> None:
    row = Row(Kind.TYPES, "a price", hostile_gate.ASK, outcome)

    assert said in str(fault_of(worlds[Family.GATE], row))


def test_what_takes_long_is_found(worlds: Mapping[Family, World], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostility, "MOST_SECONDS", 0.0)

    assert "seconds" in str(
        fault_of(worlds[Family.GATE], Row(Kind.SIZES, "a price", hostile_gate.ASK, Plain(200)))
    )


def test_a_secret_that_is_told_is_found(worlds: Mapping[Family, World]) -> None:
    row = Row(Kind.IDS, "the form", hostile_pages.SHOW, Plain(200))

    assert "a secret is told" in str(fault_of(worlds[Family.PAGES], row))
