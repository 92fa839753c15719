"""A database that lost orders is recognised by comparing it with the gateway's charges."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import InvalidInput
from faregate_cli.database.charges import read_charges
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.records import PaymentRow
from faregate_server.audit.charges import charge_findings, unknown_charges
from support.cli.running import run
from support.payment.till import DATABASES, database
from support.payment.used_shop import use
from support.stores.spoiling import value_of
from support.stores.sqlite import new_database


@pytest.fixture(params=DATABASES)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the URL of a used shop, and a payment through the gateway with its amount."""
    with database(request.param, tmp_path) as url:
        order = use(url).order
        paid = f"FROM payments WHERE checkout_id = '{order}'"
        yield url, value_of(url, f"SELECT id {paid}"), value_of(url, f"SELECT amount {paid}")


def written(tmp_path: Path, *rows: object) -> Path:
    file = tmp_path / "charges.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def test_complete_database_has_no_findings(shop: tuple[str, str, int], tmp_path: Path) -> None:
    url, payment, amount = shop
    charges = written(tmp_path, {"payment": payment, "minorUnits": amount, "currency": "CHF"})

    result = run("check", url, "--charges", charges)

    assert (result.exit_code, result.stdout.splitlines()[-1][-10:]) == (0, "0 findings")


def test_charges_that_the_database_does_not_know_are_listed(
    shop: tuple[str, str, int], tmp_path: Path
) -> None:
    _, payment, amount = shop
    lost = new_database(tmp_path / "standby.db")
    charges = written(tmp_path, {"payment": payment, "minorUnits": amount, "currency": "CHF"})

    assert run("check", lost).exit_code == 0
    result = run("check", lost, "--charges", charges)

    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == (
        f"charges: payment {payment}: the gateway took {amount / 100:.2f} CHF, "
        "but the database has no such payment"
    )


def test_other_amounts_and_failed_payments_are_listed(shop: tuple[str, str, int], tmp_path: Path) -> None:
    url, payment, amount = shop
    failed = value_of(url, "SELECT id FROM payments WHERE status = 'FAILED'")
    due = value_of(url, f"SELECT amount FROM payments WHERE id = '{failed}'")
    charges = written(
        tmp_path,
        {"payment": payment, "minorUnits": amount, "currency": "CHF"},
        {"payment": payment, "minorUnits": 5, "currency": "CHF"},
        {"payment": failed, "minorUnits": due, "currency": "CHF"},
    )

    result = run("check", url, "--charges", charges, "--json")

    found = {finding["subject"]: finding["text"] for finding in json.loads(result.stdout)["findings"]}
    assert result.exit_code == 1
    assert found == {
        f"payment {payment}": (
            f"expected {amount / 100:.2f} CHF, but the gateway took {(amount + 5) / 100:.2f} CHF"
        ),
        f"payment {failed}": f"the gateway took {due / 100:.2f} CHF, but the payment is FAILED",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("payment,amount,currency\np1,69.50,CHF\np1,-9.5,CHF\n", {("p1", "CHF"): 6000}),
        (
            "note;payment;minorUnits;currency\na;p1;6950;JPY\n\n;p2;-3;CHF",
            {("p1", "JPY"): 6950, ("p2", "CHF"): -3},
        ),
        ('\n{"payment": "p1", "amount": 69.5, "currency": "CHF", "x": []}\n', {("p1", "CHF"): 6950}),
        ('{"payment": "p1", "amount": "69.50", "currency": "KWD"}', {("p1", "KWD"): 69_500}),
        ('{"payment": 7, "minorUnits": 0, "currency": "CHF"}', {("7", "CHF"): 0}),
        ("payment,amount,currency\n", {}),
        ("", {}),
    ],
)
def test_files_are_read_exactly(tmp_path: Path, text: str, expected: dict[tuple[str, str], int]) -> None:
    file = tmp_path / "charges"
    file.write_text(text)

    assert dict(read_charges(file)) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("payment,amount\np1,3\n", "line 2: expected payment, currency, and either amount"),
        ("payment,amount,minorUnits,currency\np1,3,300,CHF\n", "line 2: expected .* either"),
        ("payment,amount,currency\np1,3.005,CHF\n", "line 2: 3.005 has more decimals than CHF"),
        ("payment,amount,currency\np1,NaN,CHF\n", "line 2: 'NaN' is not an amount"),
        ("payment,minorUnits,currency\np1,1.5,CHF\n", "line 2: minorUnits must be a whole number, got '1.5'"),
        ("payment,amount,currency\np1,3,XXY\n", "line 2: .*XXY"),
        ('payment,amount,currency\n"p1,3,CHF\n', "neither CSV nor JSON"),
        ('{"payment": "p1"\n', "neither CSV nor JSON lines in UTF-8"),
        ('{"payment": "p1", "amount": true, "currency": "CHF"}', "line 1: 'True' is not an amount"),
        ('{"payment": "p1", "amount": 1, "currency": "CHF"}\n[]\n', "line 2: expected payment"),
    ],
)
def test_faulty_files_are_refused_before_the_database_is_read(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "charges"
    file.write_text(text)

    with pytest.raises(InvalidInput, match=told):
        read_charges(file)
    assert run("check", f"sqlite:///{tmp_path}/none.db", "--charges", file).exit_code == 2


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(InvalidInput, match="neither CSV nor JSON lines in UTF-8"):
        read_charges(tmp_path / "binary")
    with pytest.raises(InvalidInput, match="No such file"):
        read_charges(tmp_path / "missing")


_ROW = PaymentRow(
    id="",
    revision=1,
    created_at=0,
    checkout_id="c",
    status="",
    provider="GATEWAY",
    detail_id=None,
    method="VIS",
    amount=0,
    currency="CHF",
    vouchers="[]",
    errors="[]",
    deadline=0,
)
_KEYS = st.tuples(st.sampled_from("abcd"), st.sampled_from(["CHF", "EUR"]))
_PAYMENTS = st.dictionaries(
    st.sampled_from("abcd"),
    st.builds(
        lambda status, amount, code: _ROW._replace(status=status.value, amount=amount, currency=code),
        st.sampled_from(PaymentState),
        st.integers(0, 3),
        st.sampled_from(["CHF", "EUR"]),
    ),
)


@given(_PAYMENTS, st.lists(st.tuples(_KEYS, st.integers(-3, 3))))
def test_the_payments_found_are_those_of_a_naive_comparison(
    payments: dict[str, PaymentRow], rows: list[tuple[tuple[str, str], int]]
) -> None:
    charges: Counter[tuple[str, str]] = Counter()
    for key, amount in rows:
        charges[key] += amount
    wrong = []
    for name, code in {key for key, _ in rows}:
        taken = sum(amount for key, amount in rows if key == (name, code))
        row = payments.get(name)
        is_right = row is not None and (row.currency, row.amount) == (code, taken)
        if taken and not (is_right and row is not None and row.status not in {"FAILED", "CANCELLED"}):
            wrong.append(f"payment {name}")

    kept = [row._replace(id=name) for name, row in payments.items()]
    found = [*charge_findings(kept, charges), *unknown_charges(charges)]

    assert sorted(finding.subject for finding in found) == sorted(wrong)
