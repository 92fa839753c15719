"""The search for the cheapest sequence of codes, with invented offers. Decisions §3.3."""

from faregate.discounts.best_codes import Candidate, Offer, best_order


def test_a_state_reached_in_another_order_is_not_searched_again() -> None:
    asked: list[tuple[int, int]] = []

    def offer(index: int, left: list[int]) -> Offer:
        asked.append((index, left[0]))
        amount = min(left[0], 10)
        return Offer([amount], amount, 50)  # a loose bound, which prunes nothing

    order, is_exact = best_order([100], [Candidate(is_exclusive=False)] * 3, offer)

    assert (order, is_exact) == ((0, 1, 2), True)
    # Three alone, three ranked, and each code once on each of the 2 ** 3 - 1 states without it.
    assert len(asked) == 3 + 3 + 3 * 2 + 3


def test_a_code_that_has_an_effect_only_after_another_is_found() -> None:
    def offer(index: int, left: list[int]) -> Offer:
        amount = 0 if index == 0 and left[0] == 100 else 5
        return Offer([amount], amount, 5)

    codes = [Candidate(is_exclusive=False)] * 2
    assert best_order([100], codes, offer) == ((1, 0), True)
    assert best_order([100], codes, offer, most_work=0) == ((1,), False)


def test_a_search_that_uses_up_its_work_exactly_is_complete() -> None:
    def offer(index: int, left: list[int]) -> Offer:
        amount = 0 if index == 0 and left[0] == 100 else 5
        return Offer([amount], amount, 5)

    codes = [Candidate(is_exclusive=False)] * 2
    one_trial = 1 + 25  # a line, and the fixed work of a trial
    assert best_order([100], codes, offer, most_work=one_trial) == ((1, 0), True)
    assert best_order([100], codes, offer, most_work=one_trial - 1) == ((1,), False)


def test_beyond_the_limit_ties_go_to_more_codes_and_then_to_the_first() -> None:
    def all_or_half(index: int, left: list[int]) -> Offer:
        amount = [5, 5, 10][index] if index < 2 or left[0] == 100 else 0
        return Offer([amount], amount, 10)

    def alike(_: int, left: list[int]) -> Offer:
        return Offer(left, left[0], left[0])

    codes = [Candidate(is_exclusive=False)] * 3
    assert best_order([100], codes, all_or_half, most_work=-1) == ((0, 1), False)
    assert best_order([100], codes, alike, most_work=-1) == ((0,), False)
