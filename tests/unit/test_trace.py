"""A trace: steps by figure and line, in the order taken, and what they add up to."""

import pytest

from faregate.trace import Rule, Step, Trace

LISTED = Step("total_gross", 1, Rule.LIST_PRICE, "", 500, "1 x 5.00")
CODE = Step("total_gross", 1, Rule.PROMO_CODE, "TEN", -50)
OTHER_LINE = Step("total_gross", 2, Rule.LIST_PRICE, "", 700)
CHECKOUT = Step("total_gross", None, Rule.CARRIED, "list_price_gross", 1200)
TRACE = Trace([LISTED, OTHER_LINE, CODE, CHECKOUT])


def test_a_step_needs_no_note() -> None:
    assert CODE.note == ""


@pytest.mark.parametrize(
    ("line", "steps", "amount"),
    [(1, (LISTED, CODE), 450), (2, (OTHER_LINE,), 700), (None, (CHECKOUT,), 1200)],
)
def test_steps_are_found_by_figure_and_line_in_the_order_taken(
    line: int | None, steps: tuple[Step, ...], amount: int
) -> None:
    assert TRACE.of("total_gross", line=line) == steps
    assert TRACE.amount("total_gross", line=line) == amount


@pytest.mark.parametrize(("figure", "line"), [("total_net", 1), ("total_gross", 3), ("", None)])
def test_a_figure_without_steps_amounts_to_nothing(figure: str, line: int | None) -> None:
    assert TRACE.of(figure, line=line) == ()
    assert TRACE.amount(figure, line=line) == 0


def test_figures_are_named_once_in_the_order_of_their_first_step() -> None:
    assert TRACE.figures() == (("total_gross", 1), ("total_gross", 2), ("total_gross", None))


def test_iterating_gives_every_step_in_the_order_taken() -> None:
    assert list(TRACE) == [LISTED, OTHER_LINE, CODE, CHECKOUT]
    assert len(TRACE) == 4
    assert TRACE.steps == (LISTED, OTHER_LINE, CODE, CHECKOUT)


def test_steps_are_taken_over_from_any_iterable() -> None:
    assert len(Trace(step for step in (LISTED, CODE))) == 2
    assert len(Trace([])) == 0
    assert Trace([]).figures() == ()
