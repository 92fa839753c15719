import json
from pathlib import Path

import pytest

from support.cli.running import ESCAPE, VILLAGE, basket, price, program, run, told

BOM = b"\xef\xbb\xbf"


def order(**changes: object) -> str:
    return json.dumps(json.loads(basket()) | changes)


DAY = {"from": "2026-12-27", "to": "2026-12-27"}

HOSTILE_BASKETS: dict[str, tuple[str | bytes, list[str]]] = {
    "empty": (b"", ["is empty"]),
    "not UTF-8": (b'{"channel": "\xff"}', ["not UTF-8"]),
    "cut off": (basket()[:-20].encode(), ["standard input:"]),
    "not JSON": (b"items: []", ["standard input:1:1"]),
    "NaN": (order(donation=float("nan")), ["donation"]),
    "two unknown variants": (
        order(items=[{"id": 1, "productVariantId": 7}, {"id": 2, "productVariantId": 8}]),
        ["no product variant 7", "no product variant 8", "2 faults"],
    ),
    "unsellable items": (
        order(
            items=[
                {"id": 1, "productVariantId": 101},
                {"id": 2, "productVariantId": 121, "validity": DAY},
                {"id": 3, "productVariantId": 141},
            ]
        ),
        [": item 1: ", ": item 2: ", ": item 3: ", "3 faults"],
    ),
}


@pytest.mark.parametrize(("text", "said"), HOSTILE_BASKETS.values(), ids=HOSTILE_BASKETS)
@pytest.mark.parametrize("options", [[], ["--json", "--explain"]], ids=["receipt", "json"])
def test_hostile_basket_is_refused_with_its_issues(
    text: str | bytes, said: list[str], options: list[str]
) -> None:
    result = price(text, *options)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    faults, outcome = told(result)
    assert outcome == "nothing was priced"
    found = "\n".join([*faults, f"{len(faults)} faults"])
    assert [part for part in said if part not in found] == []


def test_byte_order_mark_is_accepted() -> None:
    assert price(BOM + basket().encode()).exit_code == 0


def test_control_characters_in_a_file_cannot_reach_the_terminal() -> None:
    nasty = f"{ESCAPE}[31m\u202e\n"

    refused = price(order(channel=nasty, items=[{"id": 1, "productVariantId": 7}]))
    printed = price(order(codes=["A\u202e", "B"])).output

    for text in (refused.output, printed):
        assert ESCAPE not in text
        assert "\u202e" not in text


def test_catalogue_check_reports_the_number_of_entries() -> None:
    result = run("catalogue", "check", VILLAGE)

    assert result.exit_code == 0
    assert result.stdout == (
        "valid: 4 products, 5 variants, 2 channels, 2 automatic discounts, 8 promo codes, 2 vouchers\n"
    )


def test_every_issue_of_a_catalogue_has_its_own_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    text = VILLAGE.read_text(encoding="utf-8")
    broken.write_text(
        text.replace("category: 2", "category: 3").replace("products: [12]", "products: [77]"),
        encoding="utf-8",
    )

    result = run("catalogue", "check", broken)

    assert result.exit_code == 1
    assert result.stdout == ""
    *faults, advice = result.stderr.splitlines()
    assert advice == "the catalogue is not valid: correct the 3 faults above and try again"
    assert len(faults) == 3
    assert all(fault.startswith(f"{broken}:") for fault in faults)


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"a: [", b"- 1", b"{}", b"a: &a [*a]", b"\x00", b"currency: XAU", b"&a " * 50]
)
def test_hostile_catalogue_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_bytes(content)

    result = run("catalogue", "check", file)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "hostile.yaml" in result.stderr
    assert "Traceback" not in result.stderr


def test_undecodable_file_name_causes_no_traceback() -> None:
    done = program("price", b"\xff.json".decode(errors="surrogateescape"))

    assert done.returncode == 1
    assert b"No such file" in done.stderr
    assert b"Traceback" not in done.stderr
