"""A(n) with stockholm: arithmetic of ``Money`` and ``round``, line by line, as with py-moneyed.

stockholm has neither allocation nor tax; 5.00 is shared over two lines with ``decimal``.
"""

from __future__ import annotations

from decimal import localcontext
from typing import Any

from benchmarks.comparison.contenders import LeftOut, optional
from benchmarks.peers import (
    CENT,
    COMMERCIAL,
    GIFT,
    OFF,
    PERCENT,
    RATES,
    Answer,
    first_share,
)
from benchmarks.workload import Contender, Figures, Priced, basket

stockholm = optional("stockholm")


def contender() -> Contender[Any, Any]:
    if stockholm is None:
        raise LeftOut("stockholm: left out, not installed (make bench-compare has it).")
    return Contender("stockholm", lines, price, read, is_exact=False)


def money(amount: Any) -> Any:
    if stockholm is None:
        raise LeftOut("stockholm")
    return stockholm.Money(amount, currency="CHF")


def lines(n: int) -> list[tuple[Any, int, Any]]:
    return [(money(line.unit_price * CENT), line.quantity, RATES[line.per_mille]) for line in basket(n)]


def price(given: list[tuple[Any, int, Any]]) -> Answer:
    zero, off = money(0), money(OFF)
    with localcontext(COMMERCIAL):
        vat_in_gross = {rate: rate / (1 + rate) for rate in RATES.values()}
        listed = [unit_price * quantity for unit_price, quantity, _ in given]
        automatic = [zero] * len(given)
        automatic[0] = min(off, listed[0])
        if len(given) > 1:
            automatic[0] = money(first_share(listed[0].as_decimal(), listed[1].as_decimal()))
            automatic[1] = off - automatic[0]
        rows: list[tuple[object, ...]] = []
        sums = [zero] * 5
        for own, auto, (_, _, rate) in zip(listed, automatic, given, strict=True):
            left = own - auto
            promo = round(left * PERCENT, 2)
            total = left - promo
            list_net = own - round(own * vat_in_gross[rate], 2)
            net = total - round(total * vat_in_gross[rate], 2)
            rows.append((own, list_net, auto, promo, auto + promo, list_net - net, total, net))
            parts = (own, list_net, promo, total, net)
            sums = [before + part for before, part in zip(sums, parts, strict=True)]
        list_gross, list_nets, promo, total, net = sums
        auto = sum(automatic[:2], zero)
        gift = money(GIFT)
        totals = (list_gross, list_nets, auto, promo, auto + promo, list_nets - net, total + gift, net + gift)
        return Answer(rows, totals)


def read(answer: Answer) -> Priced:
    return Priced([_figures(row) for row in answer.rows], _figures(answer.totals))


def _figures(row: Any) -> Figures:
    return Figures(*(int(amount.as_decimal() / CENT) for amount in row))
