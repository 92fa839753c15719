"""Decisions on admission, as functions of the load alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate_http.admission.decisions import Admit, Load, Refuse, Step, Wait, admit, next_step, step_of
from faregate_http.app import OPERATIONS
from faregate_http.options import AdmissionLimits

LIMITS = AdmissionLimits(in_progress=16, waiting=4, wait_seconds=2.0, request_seconds=15.0)

queues = st.tuples(st.integers(0, 12), st.integers(0, 8), st.integers(0, 4))
loads = st.builds(
    Load,
    limits=st.just(LIMITS),
    in_progress=st.integers(0, 20),
    waiting=queues,
    pace=st.floats(0, 1),
    refusing_since=st.none() | st.floats(0, 100),
)
steps = st.sampled_from(Step)
jitters = st.floats(0, 1)


def load(in_progress: int = 0, *waiting: int, pace: float = 0.0) -> Load:
    return Load(LIMITS, in_progress, waiting or (0, 0, 0), pace)


# ---------------------------------------------------------------- laws


@given(loads, jitters)
def test_a_more_urgent_step_is_never_treated_worse(load: Load, jitter: float) -> None:
    ranks = {Admit: 0, Wait: 1, Refuse: 2}
    given_places = replace(load, waiting=(0, 0, 0))

    found = [ranks[type(admit(given_places, step, 100.0, jitter=jitter))] for step in Step]

    assert found == sorted(found)


@given(loads, steps, jitters)
def test_nobody_overtakes_a_request_that_is_as_urgent(load: Load, step: Step, jitter: float) -> None:
    decision = admit(load, step, 100.0, jitter=jitter)

    if any(load.waiting[: step + 1]) or load.in_progress >= LIMITS.in_progress:
        assert not isinstance(decision, Admit)


@given(loads, steps, jitters)
def test_the_queues_are_bounded(load: Load, step: Step, jitter: float) -> None:
    decision = admit(load, step, 100.0, jitter=jitter)

    if isinstance(decision, Wait):
        assert load.waiting[step] < LIMITS.waiting * (3 - step)
        assert decision.until == 100.0 + 2.0 * (3 - step)


@given(loads)
def test_the_most_urgent_request_that_may_begin_is_next(load: Load) -> None:
    found = next_step(load)

    able = [step for step in Step if load.waiting[step] and load.has_place(step)]
    assert found == min(able, default=None)


@given(loads, jitters, st.floats(100, 200), st.floats(0, 100))
def test_the_pause_grows_while_requests_are_refused(
    load: Load, jitter: float, now: float, more: float
) -> None:
    full = replace(load, waiting=(12, 8, 4))

    first, later = (admit(full, Step.OPENING, at, jitter=jitter) for at in (now, now + more))

    assert isinstance(first, Refuse)
    assert isinstance(later, Refuse)
    assert 1 <= first.retry_after <= later.retry_after <= 45


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize(
    ("step", "places"), [(Step.PAYMENT, 16), (Step.CHANGE, 14), (Step.OPENING, 12)], ids=str
)
def test_each_step_leaves_places_to_more_urgent_ones(step: Step, places: int) -> None:
    assert isinstance(admit(load(places - 1), step, 0.0, jitter=0.5), Admit)
    assert admit(load(places), step, 0.0, jitter=0.5) == Wait(2.0 * (3 - step))


def test_with_one_place_every_step_may_begin() -> None:
    alone = Load(LIMITS._replace(in_progress=1))

    assert {type(admit(alone, step, 0.0, jitter=0.5)) for step in Step} == {Admit}


def test_a_payment_does_not_wait_behind_new_checkouts() -> None:
    assert admit(load(12, 0, 0, 4), Step.PAYMENT, 0.0, jitter=0.5) == Admit()
    assert isinstance(admit(load(12, 0, 0, 4), Step.OPENING, 0.0, jitter=0.5), Refuse)
    assert admit(load(16, 0, 0, 4, pace=2.0), Step.PAYMENT, 0.0, jitter=0.5) == Wait(6.0)


def test_a_request_whose_turn_would_come_too_late_is_refused_at_once() -> None:
    assert admit(load(16, 0, 1, 3, pace=0.5), Step.OPENING, 0.0, jitter=0.5) == Wait(2.0)
    assert admit(load(16, 2, 0, 3, pace=0.5), Step.OPENING, 0.0, jitter=0.5) == Refuse(1)


@pytest.mark.parametrize(("jitter", "pause"), [(0.0, 6), (0.5, 11), (1.0, 17)])
def test_the_pause_is_as_long_as_the_refusals_so_far_and_spread_by_half(jitter: float, pause: int) -> None:
    refusing = replace(load(16, 12, 8, 4), refusing_since=90.0)

    assert admit(refusing, Step.OPENING, 100.0, jitter=jitter) == Refuse(pause)


def test_steps_of_all_operations() -> None:
    found = {operation.name: step_of(operation.method, operation.path) for operation in OPERATIONS}

    named = {step: {name for name, own in found.items() if own is step} for step in (*Step, None)}
    assert named[Step.PAYMENT] == {"payCheckout", "registerPaymentDetail"}
    assert named[Step.OPENING] == {"addItems"}
    changes = {"removeItems", "setConditions", "changeQuantity", "addCode", "dropCode"}
    accounts = {"authenticate", "scheduleDeletion", "addPerson", "changePerson", "unsetDefaultPaymentDetail"}
    assert named[Step.CHANGE] == changes | accounts
    reads = {operation.name for operation in OPERATIONS if operation.method == "GET"}
    assert named[None] == reads | {"priceAccess"}
