import json
import re
from pathlib import Path

import pytest

from faregate.money.amounts import format_minor_units
from support.cli.running import GROSS, NET, basket, bill, price, run

EXAMPLE = Path(__file__).parents[3] / "examples" / "basket.json"

both_bases = pytest.mark.parametrize("channel", [GROSS, NET], ids=["gross", "net"])
STEP = re.compile(r"  (?P<what>.*?) +(?P<amount>[-+]?\d+\.\d\d)")
FIGURE = re.compile(r"= (?P<what>.*?) +(?P<amount>-?\d+\.\d\d)")


def explanation_of(channel: str) -> list[str]:
    """Return the lines below the receipt; at 100 columns none of them is wrapped."""
    printed = price(basket(channel), "--explain=all").stdout
    return printed.split("Where every amount comes from\n")[1].split("Also applicable")[0].splitlines()


def cents(amount: str) -> int:
    return int(amount.replace(".", ""))


@both_bases
def test_steps_of_every_ledger_add_up_to_each_of_its_figures(channel: str) -> None:
    running = figures = 0
    for line in explanation_of(channel):
        if line.startswith("─"):
            running = 0
        elif step := STEP.fullmatch(line):
            running += cents(step["amount"])
        elif figure := FIGURE.fullmatch(line):
            figures += 1
            assert cents(figure["amount"]) == running, line

    assert figures > 20


@both_bases
def test_every_figure_of_lines_and_checkout_is_explained(channel: str, tmp_path: Path) -> None:
    explained = bill(channel, tmp_path)
    trace = explained.explained.trace
    lines = explanation_of(channel)
    told = {
        line.split()[-1].removeprefix("+") for line in lines if STEP.fullmatch(line) or FIGURE.fullmatch(line)
    }

    for figure, line in trace.figures():
        if figure not in {"auto_discount_amount", "promo_code_discount"}:
            assert format_minor_units(trace.amount(figure, line=line), explained.currency) in told | {"0.00"}


def test_every_line_names_its_items_and_their_shares_of_a_figure() -> None:
    lines = explanation_of(GROSS)

    assert any(re.fullmatch(r"Day ticket · Child · 27 Dec 2026  items 3, 4, 5 +CHF", line) for line in lines)
    assert any(re.fullmatch(r"= Total with VAT  1 x 21\.11 \+ 2 x 21\.12 +63\.35", line) for line in lines)


def test_list_price_is_explained_only_if_it_has_details() -> None:
    lines = run("price", str(EXAMPLE), "--explain=all", columns=100).stdout.splitlines()
    start = next(place for place, line in enumerate(lines) if "Half-fare card  item 2" in line)

    assert lines[start + 3].rstrip() == "    63.50 list price discount card 1"
    assert "    79.00 list price" not in [line.rstrip() for line in lines]


def test_list_price_of_each_line_is_in_the_json() -> None:
    explained = json.loads(run("price", str(EXAMPLE), "--explain", "--json").stdout)["explanation"]

    told = {line["line"]: line["unitListPrice"] for line in explained["lines"]}
    assert told[1] == [{"rule": "LIST_PRICE", "source": None, "amount": 79, "note": None}]
    assert told[4] == [{"rule": "LIST_PRICE", "source": "P3D", "amount": 217.5, "note": None}]


def test_passed_over_discount_is_named() -> None:
    printed = price(basket(), "--explain=all").stdout

    assert re.search(r"^  Small change  .*6\.00 on its own$", printed, re.MULTILINE)


def test_receipt_explains_nothing_by_default() -> None:
    assert "comes from" not in price(basket()).stdout


@pytest.mark.parametrize("words", [[str(EXAMPLE), "--explain"], ["--explain", str(EXAMPLE)]])
def test_total_of_the_example_is_explained_on_one_screen(words: list[str]) -> None:
    lines = run("price", *words, columns=80).stdout.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("Where the total comes from"))
    steps = [step["what"] for line in lines[start:] if (step := STEP.fullmatch(line))]

    assert len(lines) <= 60
    assert steps == [
        "List price with VAT",
        "Early booking  8 % off each line",
        "Family days  25 % off each line",
        "WINTER10  10 % off",
        "Donation",
        "VAT 2.6 %  2.6/102.6 of 33.30",
        "VAT 8.1 %  8.1/108.1 of 330.40",
    ]


def test_explanation_of_one_item_is_the_same_as_among_all() -> None:
    every = run("price", str(EXAMPLE), "--explain=all", columns=80).stdout
    alone = run("price", str(EXAMPLE), "--explain=3", columns=80).stdout.split("CHF missing\n\n")[1]

    assert alone.splitlines()[0].split("  ")[:2] == ["Day ticket · Child · 27 Dec 2026", "item 3"]
    assert alone.rstrip() in every
    assert "item 2" not in alone


def test_unknown_item_is_refused_with_a_list_of_the_items() -> None:
    refused = run("price", str(EXAMPLE), "--explain=33")

    assert refused.exit_code == 1
    assert "its items are 1, 2, 3, 4, 5, 6, 7, 8" in refused.stderr


@pytest.mark.parametrize("value", ["", "x", "-1", "1.0", "all,1", "²", f"{1:020}23"])
def test_value_that_is_neither_an_item_nor_all_is_refused(value: str) -> None:
    refused = run("price", str(EXAMPLE), f"--explain={value}")

    assert refused.exit_code == 2
    assert "expected the id of an item or 'all'" in refused.stderr


def test_json_explains_every_item_and_refuses_a_single_one() -> None:
    refused = run("price", str(EXAMPLE), "--explain=1", "--json")
    every, bare = (
        run("price", str(EXAMPLE), option, "--json").stdout for option in ("--explain=all", "--explain")
    )

    assert refused.exit_code == 2
    assert "leave out the id" in refused.stderr
    assert every == bare


def test_a_file_may_be_named_like_the_option() -> None:
    refused = run("price", "--", "--explain")

    assert refused.exit_code == 1
    assert "--explain" in refused.stderr
