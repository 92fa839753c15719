"""The sweep finds nothing in a used shop, and finds everything written in violation of its rules."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.files import load_catalogue
from faregate_http.protocol.stored_responses import pack, unpack
from faregate_server.audit.findings import Finding, Rule
from faregate_server.audit.sweep import Sweep
from support.payment.till import CATALOGUE, database
from support.payment.used_shop import use
from support.stores.known_faults import AT_ONCE, CATALOGUE_FAULTS, FAULTS, Issue, Stage
from support.stores.spoiling import edit, spoil, sqlite_path, value_of

SOLD: Catalogue = load_catalogue(CATALOGUE)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with database("sqlite", tmp_path_factory.mktemp("original")) as url:
        yield Stage(url, use(url))


@pytest.fixture
def stage(original: Stage, tmp_path: Path) -> Stage:
    """Return a copy to be spoilt."""
    file = shutil.copy(sqlite_path(original.url), tmp_path)
    return original._replace(url=f"sqlite:///{file}")


@pytest.mark.parametrize("catalogue", [None, SOLD], ids=["alone", "with-its-catalogue"])
def test_a_used_shop_has_no_findings(original: Stage, catalogue: Catalogue | None) -> None:
    swept = Sweep(original.url, catalogue=catalogue)

    assert [*swept] == []
    assert swept.looked_at == {
        "checkouts": 7,
        "orders": 3,
        "payments": 5,
        "tickets": 7,
        "holds": 9,
        "slots": 8,
    }


def test_products_that_the_catalogue_does_not_contain_cause_no_findings(original: Stage) -> None:
    assert original.found(Catalogue()) == []


def test_a_sweep_can_be_repeated(original: Stage) -> None:
    swept = Sweep(original.url)

    first, looked_at = [*swept], swept.looked_at

    assert ([*swept], swept.looked_at) == (first, looked_at)


def _in_older_form(body: bytes) -> bytes:
    """Show promo codes and vouchers like releases whose only normal form was upper case."""
    return body.replace(b"ONCE", "\uff2fNCE".encode()).replace(b"GIFT-50", "\uff27IFT-50".encode())


def test_an_order_may_show_its_codes_in_an_older_form(stage: Stage) -> None:
    with closing(sqlite3.connect(sqlite_path(stage.url))) as connection, connection:
        for order, views in connection.execute("SELECT id, views FROM orders").fetchall():
            older = {language: _in_older_form(body) for language, body in unpack(views).items()}
            shown = (older["en"].decode(), pack(older), order)
            connection.execute("UPDATE orders SET figures = ?, views = ? WHERE id = ?", shown)

    assert stage.found(SOLD) == []


_THEIRS = {Rule.DAMAGE, Rule.SCHEMA}
"""Rules whose violation the database itself may detect."""

SECRETS = ("GIFT", "RICH", "ONCE", "BUDGET", "MEMBERS", "Ada", "Bea", "Dorf", "till-", "a key", "4242")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_exactly_the_planted_faults_are_found(stage: Stage, fault: Issue) -> None:
    fault.spoil(stage)

    found = stage.found()

    assert {finding.rule for finding in found} - (_THEIRS - fault.rules) == fault.rules
    assert fault.is_among(found, stage.used)
    assert not any(secret in str(found) for secret in SECRETS)


def test_the_same_faults_are_found_on_postgresql(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as url:
        stage = Stage(url, use(url))
        assert stage.found(SOLD) == []

        for name in AT_ONCE:
            FAULTS[name].spoil(stage)
        spoil(url, "UPDATE orders SET revision = 0")
        edit(url, "ALTER TABLE holds DISABLE TRIGGER holds_counted")
        found = stage.found(SOLD)

    assert [name for name in AT_ONCE if not FAULTS[name].is_among(found, stage.used)] == []
    for name in ("holds_counted", "ck_orders_revision"):
        assert Finding(Rule.SCHEMA, name, "is missing or disabled") in found
    assert {finding.rule for finding in found} == {*Rule} - {Rule.DAMAGE, Rule.PLACES, Rule.CHARGES}


@pytest.mark.parametrize("fault", CATALOGUE_FAULTS.values(), ids=CATALOGUE_FAULTS)
def test_the_catalogue_reveals_more_findings(stage: Stage, fault: Issue) -> None:
    fault.spoil(stage)

    found = stage.found(SOLD)

    assert stage.found() == []
    assert {finding.rule for finding in found} == fault.rules
    assert any(fault.words in finding.text for finding in found), found


def test_a_missing_constraint_is_found(stage: Stage) -> None:
    size = "CONSTRAINT ck_capacity_size CHECK (sold + held <= size)"
    edit(
        stage.url,
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = replace(sql, ', \n\t{size}', '') WHERE name = 'capacity'",
    )

    assert stage.found() == [Finding(Rule.SCHEMA, "ck_capacity_size", "is missing or disabled")]


def test_a_missing_trigger_is_found(stage: Stage) -> None:
    edit(stage.url, "DROP TRIGGER holds_inserted")

    assert stage.found() == [Finding(Rule.SCHEMA, "holds_inserted", "is missing or disabled")]


def test_a_damaged_file_is_found_and_its_readable_part_is_checked(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url:
        used = use(url)
        edit(url, "PRAGMA wal_checkpoint(TRUNCATE)", f"UPDATE orders SET total = 0 WHERE id = '{used.gift}'")
        edit(url, "PRAGMA wal_checkpoint(TRUNCATE)")
        page = value_of(url, "SELECT rootpage FROM sqlite_master WHERE name = 'ix_payments_due'")
        size = value_of(url, "PRAGMA page_size")
        with sqlite_path(url).open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\x0a" + bytes(size - 1))  # an empty page for an index with entries
        found = [*Sweep(url)]

    rules = [finding.rule for finding in found]
    assert rules[0] == Rule.DAMAGE
    assert Rule.PAID in rules
    assert "\n" not in found[0].text


def test_an_unreadable_rest_is_reported(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url:
        use(url)
        page = value_of(url, "SELECT rootpage FROM sqlite_master WHERE name = 'orders'")
        edit(url, "PRAGMA wal_checkpoint(TRUNCATE)")
        with sqlite_path(url).open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(bytes(4096))
        found = [*Sweep(url)]

    assert {finding.rule for finding in found} == {Rule.DAMAGE}
    assert found[-1].text.startswith("the rest cannot be read: the database cannot be read")


def test_every_rule_is_violated_by_a_planted_fault() -> None:
    broken = set().union(*(fault.rules for fault in (*FAULTS.values(), *CATALOGUE_FAULTS.values())))

    assert broken | {Rule.DAMAGE, Rule.CHARGES} == {*Rule}


def test_the_operation_guide_lists_every_rule() -> None:
    guide = (Path(__file__).parents[3] / "docs/guides/operation.md").read_text()

    assert [rule for rule in Rule if f"`{rule}`" not in guide] == []
