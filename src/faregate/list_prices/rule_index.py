"""Index of a variant's price rules by day, sales stage and discount card. Decisions §8.5.

Rules are ranked once and cached per day. The ratchet, which keeps the highest day price so far, is also
computed here. ``faregate.list_prices.price`` computes list prices from the rules.
"""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple

from faregate.catalogue.calendars import Calendar, DayPattern
from faregate.catalogue.price_rules import CardReduction, PriceModel, PriceRule, PriceSteps
from faregate.dates.durations import Duration
from faregate.money.amounts import MILLION, MinorUnits


class DayPrice(NamedTuple):
    """Price of one service day, before the reductions for several days (degression) and for a card.

    ``amount`` is the amount of ``rule`` plus three changes: ``rise`` for the units sold, ``limit`` for the
    floor or ceiling, ``kept`` for the ratchet. ``is_own`` is True for a card's own prices, never reduced.
    """

    amount: MinorUnits
    rule: PriceRule
    is_own: bool
    rise: MinorUnits = 0
    limit: MinorUnits = 0
    kept: MinorUnits = 0


class BestRules:
    """The best rule for each duration, for one group of customers on one day.

    A rung is a rule with a duration. A validity period of whole days may use a rung for more days if it is
    cheaper; any other duration must match exactly.
    """

    __slots__ = ("_ladder", "_lengths", "_rungs", "day", "single")

    def __init__(self, rules: Iterable[PriceRule]) -> None:
        best: dict[Duration | None, PriceRule] = {}
        for rule in rules:
            best.setdefault(rule.duration, rule)
        self.single = best.pop(None, None)
        """The rule without a duration, or None."""
        self.day = None if self.single is None else _unmoved(self.single)
        """The price of a service day according to the rule without a duration, or None."""
        self._rungs = {duration: rule for duration, rule in best.items() if duration is not None}
        whole_days = [duration for duration in self._rungs if not duration.months and not duration.seconds]
        by_length = sorted((duration.days, self._rungs[duration]) for duration in whole_days)
        self._lengths = [length for length, _ in by_length]
        self._ladder = _cheapest_from([rule for _, rule in by_length])

    def rung(self, duration: Duration | None) -> PriceRule | None:
        """Return the rule for exactly *duration*, or None."""
        return None if duration is None else self._rungs.get(duration)

    def cheapest_rung(self, duration: Duration | None) -> PriceRule | None:
        """Return the rule for *duration* or, in whole days, the cheapest rule for at least as many days."""
        if duration is None or duration.months or duration.seconds:
            return self.rung(duration)
        index = bisect_left(self._lengths, duration.days)
        return self._ladder[index] if index < len(self._ladder) else None


def _unmoved(rule: PriceRule) -> DayPrice:
    return DayPrice(rule.amount, rule, rule.discount_card is not None)


def _cheapest_from(rungs: Sequence[PriceRule]) -> list[PriceRule]:
    """Return *rungs*, each replaced by a later rung if that is cheaper; ties go to the earlier rung."""
    cheapest = list(rungs)
    for index in reversed(range(len(cheapest) - 1)):
        cheapest[index] = min(cheapest[index : index + 2], key=attrgetter("amount"))
    return cheapest


class Tariff:
    """The rules that apply on a day at one sales stage, best first; see ``DayRules``."""

    __slots__ = ("_best", "_rules")

    def __init__(self, rules: Sequence[PriceRule]) -> None:
        self._rules = rules
        self._best: dict[int | None, BestRules] = {}

    def best(self, card: int | None) -> BestRules:
        """Return the best rules for holders of *card* or, if *card* is None, for everybody."""
        best = self._best.get(card)
        if best is None:
            best = self._best[card] = BestRules([rule for rule in self._rules if rule.discount_card == card])
        return best

    def day(self, card: int | None) -> DayPrice | None:
        """Return the card's own price for a service day, else the general price; None if neither exists."""
        own = self.best(card).day
        return self.best(None).day if own is None else own


class _Stage(NamedTuple):
    """Price of a day as long as at most ``last_sold`` units have been sold; None means any number."""

    amount: MinorUnits
    is_own: bool
    last_sold: int | None


class DayRules:
    """The rules that apply on a day, best first, grouped by sales stage.

    A new stage begins at each number of days ahead or units sold that a rule requires as its minimum.
    """

    __slots__ = ("_history", "_leads", "_rules", "_sold", "_tariffs", "unstaged")

    def __init__(self, rules: Sequence[PriceRule]) -> None:
        self.unstaged = Tariff(rules)
        """All rules, regardless of the stage."""
        self._rules = rules
        self._leads = sorted({0, *(rule.min_lead_days for rule in rules)})
        self._sold = sorted({0, *(rule.min_sold for rule in rules)})
        self._tariffs: dict[tuple[int, int], Tariff] = {}
        self._history: dict[tuple[int | None, int, int], tuple[_Stage, ...]] = {}

    def at(self, lead_days: int, sold: int) -> Tariff:
        """Return the rules that apply *lead_days* days ahead with *sold* units sold."""
        return self._tariff(bisect(self._leads, lead_days), bisect(self._sold, sold))

    def ratcheted(
        self,
        now: DayPrice,
        steps: PriceSteps,
        *,
        card: int | None,
        reduction: CardReduction | None,
        lead_days: int,
        sold: int,
    ) -> DayPrice:
        """Return the highest price that a day may have had so far for holders of *card*, including *now*.

        Earlier prices are those for at least as many days ahead and at most as many units sold. *reduction*
        applies to all prices except the card's own.
        """
        stage = card, bisect(self._leads, lead_days), bisect(self._sold, sold)
        if stage not in self._history:
            self._history[stage] = tuple(self._until(*stage))
        left = MILLION - (reduction.parts_per_million if reduction else 0)
        amount, is_own = now.amount, now.is_own
        for base, was_own, last_sold in self._history[stage]:
            places = sold if last_sold is None or last_sold > sold else last_sold
            was = _limited(base + steps.step * (places // steps.every), steps)
            if was * (MILLION if was_own else left) > amount * (MILLION if is_own else left):
                amount, is_own = was, was_own
        return DayPrice(amount, now.rule, is_own, now.rise, now.limit, amount - now.amount)

    def _tariff(self, lead: int, sold: int) -> Tariff:
        tariff = self._tariffs.get((lead, sold))
        if tariff is None:
            lead_days, places = self._leads[lead - 1], self._sold[sold - 1]
            tariff = self._tariffs[lead, sold] = Tariff(
                [rule for rule in self._rules if rule.min_lead_days <= lead_days and rule.min_sold <= places]
            )
        return tariff

    def _until(self, card: int | None, lead: int, sold: int) -> Iterator[_Stage]:
        """Yield the highest price for each stage up to *sold*: by the general rules and by the card's own.

        *lead* and *sold* are numbers of stages, counted from 1.
        """
        last_sold = [*(begin - 1 for begin in self._sold[1:]), None]
        for places in range(1, sold + 1):
            days = [self._tariff(ahead, places).day(card) for ahead in range(lead, len(self._leads) + 1)]
            for is_own in (False, True):
                amounts = [day.amount for day in days if day is not None and day.is_own is is_own]
                if amounts:
                    yield _Stage(max(amounts), is_own, last_sold[places - 1])


def apply_price_steps(rule: PriceRule, steps: PriceSteps, sold: int) -> DayPrice:
    """Return the price of a service day under *rule* and *steps* after *sold* units have been sold.

    >>> from faregate.catalogue.price_rules import PriceRule, PriceSteps
    >>> apply_price_steps(PriceRule(6000), PriceSteps(step=500, every=10, ceiling=6800), 25)[0]
    6800
    """
    rise = steps.step * (sold // steps.every)
    amount = _limited(rule.amount + rise, steps)
    return DayPrice(amount, rule, rule.discount_card is not None, rise, amount - rule.amount - rise)


def _limited(amount: MinorUnits, steps: PriceSteps) -> MinorUnits:
    if steps.ceiling is not None and amount > steps.ceiling:
        return steps.ceiling
    return max(amount, steps.floor)


class PriceRuleIndex:
    """The price rules of a variant, ranked once and grouped by the days on which they apply.

    The most specific matching rule applies: rules for a card come before rules for everybody, then rules for
    dates, for public holidays (or all other days), for seasons, for weekdays. With STEPPED prices, the next
    criteria are the higher minimum of units sold and the higher minimum of days ahead. A tie, as between all
    STATIC rules, goes to the first rule in the catalogue.
    """

    __slots__ = ("_by_day", "_calendar", "_days", "_holding", "_ranked", "always", "cards")

    def __init__(self, rules: Iterable[PriceRule], *, model: PriceModel, calendar: Calendar) -> None:
        self._ranked = sorted(rules, key=_RANKS[model])
        self._calendar = calendar
        self._days = tuple(dict.fromkeys(rule.when for rule in self._ranked))
        self._holding: dict[tuple[bool, ...], DayRules] = {}
        self._by_day: dict[date, DayRules] = {}
        self.cards = frozenset(rule.discount_card for rule in self._ranked) - {None}
        """Cards with prices of their own."""
        is_static = model is PriceModel.STATIC
        self.always = DayRules([rule for rule in self._ranked if is_static or rule.when == _EVERY_DAY])
        """The rules that apply on any day: those for all days or, with STATIC prices, every rule."""

    def on(self, day: date | None) -> DayRules:
        """Return the rules that apply on *day* or, if it is None, those that apply on any day."""
        if day is None:
            return self.always
        found = self._by_day.get(day)
        return self._looked_up(day) if found is None else found

    def _looked_up(self, day: date) -> DayRules:
        holds = tuple([days.include(day, self._calendar) for days in self._days])
        found = self._holding.get(holds)
        if found is None:
            including = {days for days, is_in in zip(self._days, holds, strict=True) if is_in}
            found = self._holding[holds] = DayRules([rule for rule in self._ranked if rule.when in including])
        if len(self._by_day) >= _MAX_DAYS:
            self._by_day.clear()
        self._by_day[day] = found
        return found


_EVERY_DAY = DayPattern()
_MAX_DAYS = 2000
"""Maximum number of days cached in an index: several times the longest calendar."""


def _static_rank(_: PriceRule) -> tuple[int, ...]:
    return ()


def _day_rank(rule: PriceRule) -> tuple[int, ...]:
    when = rule.when
    return not when.dates, when.is_holiday is None, not when.seasons, not when.weekdays


def _stepped_rank(rule: PriceRule) -> tuple[int, ...]:
    return *_day_rank(rule), -rule.min_sold, -rule.min_lead_days


_RANKS = {
    PriceModel.STATIC: _static_rank,
    PriceModel.CALENDAR: _day_rank,
    PriceModel.STEPPED: _stepped_rank,
}


def describe_rule(rule: PriceRule) -> str:
    """Return the conditions of a rule as text, without its duration; empty if it always applies.

    >>> from faregate.catalogue.price_rules import PriceRule
    >>> describe_rule(PriceRule(6200, when=DayPattern(weekdays=frozenset({5, 6, 7})), min_lead_days=15))
    'Fri Sat Sun, at least 15 days ahead'
    """
    card, when = rule.discount_card, rule.when
    told = (
        (card is not None, f"discount card {card}"),
        (when.dates, "special dates"),
        (when.is_holiday is not None, "public holidays" if when.is_holiday else "no public holidays"),
        (when.seasons, " ".join(sorted(when.seasons))),
        (when.weekdays, " ".join(_WEEKDAYS[day - 1] for day in sorted(when.weekdays))),
        (rule.min_lead_days, f"at least {rule.min_lead_days} days ahead"),
        (rule.min_sold, f"at least {rule.min_sold} sold"),
    )
    return ", ".join(words for is_told, words in told if is_told)


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
