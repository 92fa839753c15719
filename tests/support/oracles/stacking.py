"""Naive implementations of decisions §3.2, §3.3 and §3.5: the selection and order of discounts."""

from itertools import combinations, compress, product, starmap
from typing import NamedTuple, TypeAlias

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, Stacking, ThresholdBase
from faregate.discounts.eligibility import Context, RejectionReason, Shortfall
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.totals.request import PricingRequest
from support.oracles.bundles import most_filled
from support.oracles.naive_readings import (
    Prices,
    Taking,
    is_within,
    lines_by_day,
    lines_in_scope,
    lines_of,
    local_day,
    taking,
)

# ---------------------------------------------------------------- §3.2: automatic discounts


class Winners(NamedTuple):
    """Per line: the amount and the id of the winning discount."""

    amounts: list[int]
    ids: list[int | None]


def room_of(lines: list[Line], left: list[int]) -> list[int]:
    return [max(0, price - line.floor_price * line.quantity) for line, price in zip(lines, left, strict=True)]


def automatic_alone(request: PricingRequest) -> dict[int, Taking]:
    """Return the amounts that each automatic discount with satisfied conditions would take alone."""
    lines = in_key_order(request)
    listed = [line.unit_price * line.quantity for line in lines]
    return {
        discount.id: taking(
            discount,
            lines,
            Prices(listed, room_of(lines, listed)),
            discount.max_amount,
            request.context,
            request.policy,
        )
        for discount in request.automatic
        if refusal(discount, lines, listed, request.context) is None
    }


def best_automatic(request: PricingRequest) -> Winners:
    """Return the winner of each line, where discounts compete for lines."""
    alone = automatic_alone(request)
    ranked = sorted((d for d in request.automatic if d.id in alone), key=lambda d: (-d.priority, d.id))
    amounts: list[int] = [0] * len(request.lines)
    ids: list[int | None] = [None] * len(request.lines)
    for n in range(len(amounts)):
        for discount in ranked:
            if not discount.is_group_rule and alone[discount.id].shares[n] > amounts[n]:
                amounts[n], ids[n] = alone[discount.id].shares[n], discount.id

    # Try every set of rules that work across lines; of equals the set with higher ranks wins.
    def taken_by(rules: list[AutomaticDiscount]) -> tuple[int, int]:
        touched = {n for rule in rules for n in touched_lines(alone[rule.id])}
        whole = sum(sum(alone[rule.id].shares) for rule in rules)
        return whole + sum(amount for n, amount in enumerate(amounts) if n not in touched), -len(rules)

    groups = [discount for discount in ranked if discount.is_group_rule]
    sets = [list(compress(groups, chosen)) for chosen in product((True, False), repeat=len(groups))]
    allowed = [rules for rules in sets if not any(starmap(exclude_each_other, pairs(rules, request, alone)))]
    for discount in max(allowed, key=taken_by):
        for n in touched_lines(alone[discount.id]):
            amounts[n], ids[n] = alone[discount.id].shares[n], discount.id
    return Winners(amounts, ids)


def touched_lines(taken: Taking) -> set[int]:
    return {n for n, share in enumerate(taken.shares) if share}


Lines: TypeAlias = tuple[set[int], set[int]]
"""The lines that a rule discounts, and those whose units it counts."""


def pairs(
    rules: list[AutomaticDiscount], request: PricingRequest, alone: dict[int, Taking]
) -> list[tuple[Lines, Lines]]:
    lines = in_key_order(request)
    own = []
    for rule in rules:
        touched = touched_lines(alone[rule.id])
        scope = {n for n in lines_in_scope(lines, rule.scope, request.context) if lines[n].discountable}
        own.append((touched, touched | scope if isinstance(rule.kind, BuyXGetY) else touched))
    return list(combinations(own, 2))


def exclude_each_other(one: Lines, other: Lines) -> bool:
    """Return whether one rule discounts a unit that belongs to a group of the other."""
    return bool(one[0] & other[1] or one[1] & other[0])


# ---------------------------------------------------------------- §3.3, §3.5, §3.7: promo codes


class Refused(NamedTuple):
    reason: RejectionReason
    missing: Shortfall | None = None


Outcome: TypeAlias = Taking | Refused


def in_key_order(request: PricingRequest) -> list[Line]:
    return sorted(request.lines, key=lambda line: line.key)


def refusal(
    discount: AutomaticDiscount | PromoCode, lines: list[Line], counting: list[int], context: Context
) -> Refused | None:
    """Return the first condition that does not hold: party, time, uses, lines, minimum."""
    when, at = discount.conditions, context.at
    assert at is not None, "the laws always give an instant"
    now = at.timestamp()
    for wanted, own, reason in (
        (when.channels, {context.channel}, RejectionReason.WRONG_CHANNEL),
        (when.accounts, {context.account}, RejectionReason.WRONG_ACCOUNT),
        (when.customer_groups, context.customer_groups, RejectionReason.WRONG_GROUP),
    ):
        if wanted and not wanted & own:
            return Refused(reason)
    if when.starts_at is not None and now < when.starts_at.timestamp():
        return Refused(RejectionReason.NOT_YET_VALID, Shortfall(until=when.starts_at))
    if when.ends_at is not None and now >= when.ends_at.timestamp():
        return Refused(RejectionReason.EXPIRED)
    if when.weekdays and local_day(at, context.zone).isoweekday() not in when.weekdays:
        return Refused(RejectionReason.WRONG_DAY)
    if when.time_of_day is not None and not is_within(when.time_of_day, at, context.zone):
        return Refused(RejectionReason.WRONG_TIME)
    if isinstance(discount, PromoCode):
        if any(left is not None and left <= 0 for left in (discount.uses_left, discount.budget_left)):
            return Refused(RejectionReason.USED_UP)
        if not lines_of(discount, lines, context):
            return Refused(RejectionReason.NOT_APPLICABLE)
    short = (shortfall(threshold, lines, counting, context) for threshold in when.thresholds)
    return next(
        (
            Refused(RejectionReason.MINIMUM_NOT_REACHED, missing)
            for missing in short
            if missing != Shortfall()
        ),
        None,
    )


def shortfall(threshold: Threshold, lines: list[Line], counting: list[int], context: Context) -> Shortfall:
    counted = [n for n in lines_in_scope(lines, threshold.counting, context) if lines[n].counted]
    return Shortfall(
        spend=max(0, threshold.spend - sum(counting[n] for n in counted)),
        quantity=max(0, threshold.quantity - sum(lines[n].quantity for n in counted)),
    )


def rank(code: PromoCode) -> tuple[int, int, int, str]:
    """Return lane, priority (higher first), kind and code as a sort key."""
    kinds = [
        isinstance(code.kind, BuyXGetY),
        isinstance(code.kind, FixedPrice | Bundle),
        isinstance(code.kind, PerUnit),
        isinstance(code.kind, Percentage) and code.kind.level is DiscountLevel.LINE,
        isinstance(code.kind, Absolute) and code.kind.level is DiscountLevel.LINE,
        isinstance(code.kind, Percentage),
        isinstance(code.kind, Absolute),
    ]
    return code.lane, -code.priority, kinds.index(True), code.code


def apply_code(code: PromoCode, request: PricingRequest, after_auto: list[int], left: list[int]) -> Outcome:
    lines, policy = in_key_order(request), request.policy
    counting = {
        ThresholdBase.AFTER_AUTO: after_auto,
        ThresholdBase.LIST: [line.unit_price * line.quantity for line in lines],
        ThresholdBase.RUNNING: left,
    }[policy.threshold_base]
    refused = refusal(code, lines, counting, request.context)
    if refused is not None:
        return refused
    additive = policy.stacking is Stacking.ADDITIVE and isinstance(code.kind, Percentage)
    prices = Prices(after_auto if additive else left, room_of(lines, left))
    limits = [most for most in (code.max_amount, code.budget_left) if most is not None]
    taken = taking(code, lines, prices, min(limits) if limits else None, request.context, policy)
    if any(taken.shares):
        return taken
    units = missing_units(code, lines, request.context)
    return (
        Refused(RejectionReason.MINIMUM_NOT_REACHED, Shortfall(quantity=units))
        if units
        else Refused(RejectionReason.NOT_APPLICABLE)
    )


def missing_units(code: PromoCode, lines: list[Line], context: Context) -> int:
    """Return the number of units that a group rule lacks for its first group."""
    scope, most = set(lines_of(code, lines, context)), code.max_units_per_line
    if most is not None:
        lines = [line._replace(quantity=min(line.quantity, most)) for line in lines]
    match code.kind:
        case Bundle(parts=parts):
            own = [lines_in_scope(lines, part.scope, context) for part in parts]
            places = [m for m, part in enumerate(parts) for _ in range(part.units)]
            days = [
                [
                    {m for m, part in enumerate(own) if n in part}
                    for n in day
                    for _ in range(lines[n].quantity)
                ]
                for day in lines_by_day(code.kind, sorted(scope), lines, context)
            ]
            return len(places) - max(len(most_filled(allowed, places)) for allowed in days)
        case FixedPrice(group_size=size) if size > 1:
            return max(0, size - sum(lines[n].quantity for n in scope))
        case BuyXGetY(buy, get, rewards=None):
            return max(0, buy + get - sum(lines[n].quantity for n in scope))
        case BuyXGetY(buy, get, rewards=Scope() as rewards):
            free = {n for n in lines_in_scope(lines, rewards, context) if lines[n].discountable}
            missing = max(0, buy - sum(lines[n].quantity for n in scope - free))
            return missing + max(0, get - sum(lines[n].quantity for n in free))
    return 0


def one_after_another(
    codes: list[PromoCode], request: PricingRequest, after_auto: list[int]
) -> tuple[list[int], dict[str, Outcome]]:
    """Return the rest of each line, and each code's outcome in the order applied."""
    left, outcomes = after_auto, dict[str, Outcome]()
    for code in codes:
        outcome = outcomes[code.code] = apply_code(code, request, after_auto, left)
        if isinstance(outcome, Taking):
            left = [price - share for price, share in zip(left, outcome.shares, strict=True)]
    return left, outcomes


def promo_codes(request: PricingRequest, after_auto: list[int]) -> tuple[list[int], dict[str, Outcome]]:
    """Return the same for the codes of *request*, in the order of its policy."""
    codes = [entered for entered in request.promo_codes if isinstance(entered, PromoCode)]
    if request.policy.code_order is not CodeOrder.AS_ENTERED:
        codes.sort(key=rank)
    if request.policy.code_order is CodeOrder.BEST:
        return cheapest(codes, request, after_auto)
    refused: dict[str, Outcome] = {}
    for exclusive in (code for code in codes if code.exclusive):
        left, outcomes = one_after_another([exclusive], request, after_auto)
        if isinstance(outcomes[exclusive.code], Taking):
            return left, outcomes | left_out([exclusive], codes, request, after_auto)
        refused |= outcomes  # exclusive: other codes do not affect it
    codes = [code for code in codes if not code.exclusive]
    left, outcomes = one_after_another(codes, request, after_auto)
    return left, outcomes | refused


def cheapest(
    codes: list[PromoCode], request: PricingRequest, after_auto: list[int]
) -> tuple[list[int], dict[str, Outcome]]:
    """Return the best of all ordered selections of effective codes: cheapest, most codes, by rank."""
    best: tuple[int, int, list[int]] = (sum(after_auto), 0, [])

    def extend(left: list[int], places: list[int]) -> None:
        nonlocal best
        best = min(best, (sum(left), -len(places), places))
        if places and codes[places[0]].exclusive:
            return
        for place, code in enumerate(codes):
            if place not in places and not (places and code.exclusive):
                outcome = apply_code(code, request, after_auto, left)
                if isinstance(outcome, Taking):
                    after = [price - share for price, share in zip(left, outcome.shares, strict=True)]
                    extend(after, [*places, place])

    extend(after_auto, [])
    chosen = [codes[place] for place in best[2]]
    left, outcomes = one_after_another(chosen, request, after_auto)
    return left, outcomes | left_out(chosen, codes, request, after_auto)


def left_out(
    chosen: list[PromoCode], codes: list[PromoCode], request: PricingRequest, after_auto: list[int]
) -> dict[str, Outcome]:
    """Return a refusal for every other code, for a reason of its own if it has one."""
    outcomes: dict[str, Outcome] = {}
    for other in codes:
        if other not in chosen:
            alone = apply_code(other, request, after_auto, after_auto)
            outcomes[other.code] = (
                Refused(RejectionReason.NOT_COMBINABLE) if isinstance(alone, Taking) else alone
            )
    return outcomes
