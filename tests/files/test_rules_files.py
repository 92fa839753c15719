"""Rules files: the same entries as in catalogues, and every fault with its ``loc``."""

from importlib.resources import files
from pathlib import Path

import pytest

from faregate.basket.policy import Stacking
from faregate.discounts.kinds import Percentage
from faregate.errors import InvalidCatalogue
from faregate.files import demo_catalogue, parse_rules, read_rules

RULES = """\
currency: CHF
autoDiscounts:
  - {id: 7, displayName: {en: Early}, discount: {discountType: PER_UNIT, amount: 2.50}}
promoCodes:
  - {id: 1, code: ten, displayName: {en: Ten}, discount: {discountType: PERCENTAGE, percent: 10}}
policy: {stacking: additive}
"""


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(InvalidCatalogue) as refused:
        parse_rules(text)
    return refused.value.messages


def test_rules_are_read_in_the_currency_of_the_file() -> None:
    rules = parse_rules(RULES)

    assert [(own.id, own.kind.amount) for own in rules.automatic] == [(7, 250)]  # type: ignore[union-attr]
    assert [(own.code, own.kind) for own in rules.promo_codes] == [("TEN", Percentage.percent(10))]
    assert (rules.policy.stacking, rules.policy.cash_increment) == (Stacking.ADDITIVE, 5)


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")

    assert read_rules(tmp_path / "rules.yaml") == parse_rules(RULES)


def test_the_discounts_of_a_catalogue_can_be_copied() -> None:
    source = (files("faregate.files") / "demo_resort.yaml").read_text("utf-8")
    copied = "currency: CHF\n" + "\n".join(_section(source, name) for name in ("autoDiscounts", "promoCodes"))

    rules = parse_rules(copied)

    assert rules.automatic == demo_catalogue().automatic_discounts
    assert rules.promo_codes == demo_catalogue().promo_codes


def _section(source: str, name: str) -> str:
    """Return the lines of one top-level key of a YAML file."""
    lines = source.splitlines()
    start = lines.index(f"{name}:")
    rest = lines[start + 1 :]
    end = next(
        (place for place, line in enumerate(rest) if line and not line.startswith((" ", "#"))), len(rest)
    )
    return "\n".join([lines[start], *rest[:end]])


def test_every_issue_is_listed_with_its_location() -> None:
    text = RULES.replace("amount: 2.50", "amount: 2.501").replace("additive", "often") + "colour: red\n"

    assert faults(text) == (
        "rules:3: autoDiscounts[0].discount.amount: 2.501 has more decimals than CHF, which has 2",
        "rules:6: policy.stacking: expected sequential, additive, got 'often'",
        "rules:7: colour: unknown key",
    )


def test_ids_and_codes_must_be_unique() -> None:
    promo = RULES.splitlines()[4]
    early = RULES.splitlines()[2]
    text = RULES.replace(promo, f"{promo}\n{promo.replace('ten', ' TEN ')}").replace(
        early, f"{early}\n{early}"
    )

    assert faults(text) == (
        "rules:4: autoDiscounts[1].id: 7 is used twice",
        "rules:7: promoCodes[1].id: 1 is used twice",
        "rules:7: promoCodes[1].code: 'TEN' is used twice",
    )


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidCatalogue, match=r"rules\.json: the file cannot be read: "):
        read_rules(tmp_path / "rules.json")
