"""Promo codes outside the pricing rules, such as thousands of codes in a database. Decisions §3.10."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from faregate.arguments.checks import rows
from faregate.discounts.kinds import PromoCode, UnknownCode, normalize_code
from faregate.errors import InvalidDiscount


@runtime_checkable
class PromoCodes(Protocol):
    """A source of promo codes, such as a table of a database."""

    def find(self, codes: Sequence[str], /) -> Iterable[PromoCode]:
        """Return, in any order, the existing promo codes among *codes*, which are normalized."""


def find_codes(entered: Iterable[str], source: PromoCodes) -> tuple[PromoCode | UnknownCode, ...]:
    """Look up the *entered* codes in one call, and return each code once, in the order of entry.

    Pass the result to ``checkout_totals``. Codes with unprintable characters are unknown; *source* is not
    asked for them.

    Raises:
        InvalidDiscount: *source* returns something other than the codes it was asked for, or a code twice.
    """
    codes = list(dict.fromkeys(map(normalize_code, entered)))
    wanted = [code for code in codes if code and code.isprintable()]
    found: dict[str, PromoCode] = {}
    returned = source.find(wanted) if wanted else ()
    for promo_code in rows("promo codes", returned, InvalidDiscount, (PromoCode,)):
        if promo_code.code not in wanted or promo_code.code in found:
            raise InvalidDiscount(
                f"find returned {promo_code.code!r}, expected each of {wanted} at most once"
            )
        found[promo_code.code] = promo_code
    return tuple([found.get(code) or UnknownCode(code) for code in codes])
