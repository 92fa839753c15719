"""Database checks: lines for people, JSON for programs, a status for scripts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli.running import run
from support.payment.till import CATALOGUE, DATABASES, database
from support.payment.used_shop import Used, use
from support.stores.spoiling import edit, edit_inputs

CLEAN = "checked 7 checkouts, 3 orders, 5 payments, 7 tickets, 9 holds, 8 slots: 0 findings\n"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[tuple[str, Used]]:
    """Yield the URL of a used shop, and its contents."""
    with database("sqlite", tmp_path) as url:
        yield url, use(url)


@pytest.mark.parametrize("kind", DATABASES)
def test_consistent_database_is_reported(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as url:
        use(url)
        alone, with_catalogue = run("check", url), run("check", url, "--catalogue", CATALOGUE)

    assert (alone.exit_code, alone.stdout, alone.stderr) == (0, CLEAN, "")
    assert (with_catalogue.exit_code, with_catalogue.stdout) == (0, CLEAN)


def test_each_finding_is_a_line(shop: tuple[str, Used]) -> None:
    url, used = shop
    edit(url, f"DELETE FROM payments WHERE checkout_id = '{used.gift}'")

    result = run("check", url)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"paid: order {used.gift}: expected 1 payment, got 0",
        "checked 7 checkouts, 3 orders, 4 payments, 7 tickets, 9 holds, 8 slots: 1 finding",
    ]


def test_programs_get_json(shop: tuple[str, Used]) -> None:
    url, used = shop
    edit(url, f"DELETE FROM payments WHERE checkout_id = '{used.gift}'")

    result = run("check", url, "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "lookedAt": {"checkouts": 7, "orders": 3, "payments": 4, "tickets": 7, "holds": 9, "slots": 8},
        "findings": [{"rule": "paid", "subject": f"order {used.gift}", "text": "expected 1 payment, got 0"}],
    }


def test_the_catalogue_reveals_more_findings(shop: tuple[str, Used]) -> None:
    url, used = shop
    edit_inputs(url, used.open, lambda kept: kept["items"].pop())

    assert run("check", url).exit_code == 0
    assert run("check", url, "--catalogue", CATALOGUE).exit_code == 1


def test_a_faulty_catalogue_is_an_error_not_a_finding(shop: tuple[str, Used], tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text("currency: CHF\nchannels: 7\n")

    result = run("check", shop[0], "--catalogue", tmp_path / "shop.yaml")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing was checked" in result.stderr


def test_a_password_is_not_repeated() -> None:
    result = run("check", "postgresql://gate:s3cr3t@127.0.0.1:1/tickets?timeout=2")

    assert result.exit_code == 2
    assert "s3cr3t" not in result.output
