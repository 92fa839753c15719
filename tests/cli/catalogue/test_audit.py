"""``faregate catalogue audit``: findings as text and JSON, wanted findings, and the exit status."""

import json
from pathlib import Path

import pytest

from faregate.documents import load
from support.cli.running import run, told

AUDIT = ("catalogue", "audit", "--baskets", "150", "--at", "2026-12-01T10:00:00+01:00")
WANTED = Path(__file__).parents[3] / "examples" / "wanted_findings.yaml"
EMPTY = "currency: CHF\n"


def test_finding_is_printed_with_both_receipts() -> None:
    result = run(*AUDIT)

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("one-more/discount-5: saves CHF "))
    shown = [line.strip() for line in lines[first:] if line.startswith(("  instead of", "  cheaper"))]
    assert [line.split(":")[0] for line in shown[:2]] == ["instead of", "cheaper"]
    assert any(line.strip().startswith("Total CHF") for line in lines[first:])
    assert lines[-1].endswith("findings · 150 baskets · seed 1 · 1 Dec 2026, 10:00 UTC+01:00")


@pytest.mark.parametrize("seed", [1, 2])
def test_every_finding_about_the_demo_resort_is_wanted(seed: int) -> None:
    result = run(*AUDIT, "--seed", str(seed), "--wanted", WANTED)

    assert result.exit_code == 0, result.stdout
    assert "  wanted: The group price" in result.stdout


def test_json_has_a_document_that_explains_each_basket() -> None:
    result = run(*AUDIT, "--json", "--wanted", WANTED)

    found = json.loads(result.stdout)
    assert (found["baskets"], found["seed"]) == (150, 1)
    finding = next(each for each in found["findings"] if each["identifier"] == "one-more/discount-5")
    assert finding["kind"] == "one-more"
    assert finding["wanted"].startswith("The group price")
    dearer, cheaper = (load(each) for each in finding["explanations"])
    assert cheaper.trace.amount("total_gross") == cheaper.totals.total_gross < dearer.totals.total_gross


def test_unreachable_rule_has_no_baskets(tmp_path: Path) -> None:
    file = tmp_path / "shop.yaml"
    discount = "discount: {discountType: PERCENTAGE, percent: 10, level: cart}"
    code = f"{{id: 1, code: TEN, displayName: {{en: Ten}}, description: {{en: Ten}}, {discount}}}"
    file.write_text(f"{EMPTY}promoCodes: [{code}]\n", encoding="utf-8")

    result = run("catalogue", "audit", file)

    assert result.exit_code == 1
    assert result.stdout.startswith("unreachable/code-TEN\n\n1 finding · ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- split/discount-1\n", "expected findings with reasons in words, as in one-more/discount-5: ..."),
        ("split/discount-1:\n", "expected findings with reasons in words"),
        ("", "the file is empty"),
    ],
)
def test_faulty_list_of_wanted_findings_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    wanted = tmp_path / "wanted.yaml"
    wanted.write_text(text, encoding="utf-8")

    result = run("catalogue", "audit", "--wanted", wanted)

    assert result.exit_code == 1
    [found], outcome = told(result)
    assert fault in found
    assert outcome == "nothing was audited"


def test_instant_needs_an_offset() -> None:
    result = run("catalogue", "audit", "--at", "2026-12-01T10:00:00")

    assert result.exit_code == 1
    assert "no UTC offset" in result.stderr
