"""Decisions on requests under load: payments first, then changes, then new checkouts. Decisions §18."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import ceil
from typing import NamedTuple, TypeAlias

from faregate_http.options import AdmissionLimits

LONGEST_WAIT_SECONDS = 30.0
"""Maximum of ``retry-after``, before jitter."""


class Step(IntEnum):
    """Steps of a purchase, the most urgent first."""

    PAYMENT = 0
    CHANGE = 1
    OPENING = 2

    @property
    def patience(self) -> int:
        """Factor by which the queue and the wait of this step are longer than those of new checkouts."""
        return len(Step) - self


def step_of(method: str, path: str) -> Step | None:
    """Return the step of the operation with *method* and *path*, or None if it is always admitted.

    >>> step_of("POST", "/api/checkout/{checkoutId}/payment")
    <Step.PAYMENT: 0>
    """
    if method == "GET" or path.startswith("/api/pricing/"):
        return None
    if path.endswith(("/payment", "/register")):
        return Step.PAYMENT
    return Step.OPENING if method == "POST" and path.endswith("/items") else Step.CHANGE


@dataclass(slots=True)
class Load:
    """Requests in progress and waiting, by step; ``refusing_since`` is None while none is refused.

    ``pace`` is the average time in seconds from one request that leaves to the next.
    """

    limits: AdmissionLimits
    in_progress: int = 0
    waiting: tuple[int, ...] = (0,) * len(Step)
    pace: float = 0.0
    refusing_since: float | None = None

    def has_place(self, step: Step) -> bool:
        """True if *step* may begin: an eighth of the places is left to each step that is more urgent."""
        return self.in_progress < max(self.limits.in_progress * (8 - step) // 8, 1)

    def has_room(self, step: Step) -> bool:
        """True if *step* may wait: its queue is not full, and its turn should come in time."""
        is_full = self.waiting[step] >= self.limits.waiting * step.patience
        expected = sum(self.waiting[: step + 1]) * self.pace
        return not is_full and expected <= self.limits.wait_seconds * step.patience


class Admit(NamedTuple):
    """The request may begin."""


class Wait(NamedTuple):
    """The request waits for its turn, until the time ``until``."""

    until: float


class Refuse(NamedTuple):
    """The request is refused; its client should wait ``retry_after`` seconds."""

    retry_after: int


Decision: TypeAlias = Admit | Wait | Refuse


def admit(load: Load, step: Step, now: float, *, jitter: float) -> Decision:
    """Decide on a request that arrives at *now*, in seconds; *jitter*, 0 to 1, spreads ``retry_after``.

    No request overtakes one that is as urgent. Clients are asked to wait about as long as requests have been
    refused so far, so that the pauses of a client grow.

    >>> from faregate_http.options import AdmissionLimits
    >>> admit(Load(AdmissionLimits(), in_progress=16), Step.PAYMENT, 10.0, jitter=0.5)
    Wait(until=16.0)
    """
    if not any(load.waiting[: step + 1]) and load.has_place(step):
        return Admit()
    if load.has_room(step):
        return Wait(now + load.limits.wait_seconds * step.patience)
    return refuse(load, now, jitter=jitter)


def refuse(load: Load, now: float, *, jitter: float) -> Refuse:
    """Return the refusal of a request at *now*."""
    elapsed = 0.0 if load.refusing_since is None else now - load.refusing_since
    return Refuse(ceil(min(1 + elapsed, LONGEST_WAIT_SECONDS) * (0.5 + jitter)))


def next_step(load: Load) -> Step | None:
    """Return the step of the next request to begin, or None if none waits or may begin."""
    return next((step for step in Step if load.waiting[step] and load.has_place(step)), None)
