"""Promo codes that an application keeps outside the catalogue, looked up in a thread. Decisions §3.10."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from faregate.catalogue.catalogue import Catalogue
from faregate.discounts.code_lookup import PromoCodes, find_codes
from faregate.discounts.kinds import PromoCode
from faregate.errors import InvalidDiscount
from faregate_http.admission.queueing import waiting_elsewhere
from faregate_http.store.contract import StoreUnavailable


@dataclass(eq=False)
class CodeLookup:
    """Lookup of promo codes that *catalogue* does not have; if *source* is None, none are found."""

    catalogue: Catalogue
    source: PromoCodes | None

    async def found(self, entered: Sequence[str]) -> tuple[PromoCode, ...]:
        """Return the promo codes among *entered* that exist outside the catalogue.

        Raises:
            InvalidDiscount: the source returns something other than the promo codes it was asked for.
            StoreUnavailable: the source failed.
        """
        known = self.catalogue
        unknown = [code for code in entered if known.promo_code(code) is None and known.voucher(code) is None]
        if self.source is None or not unknown:
            return ()
        try:
            with waiting_elsewhere():
                codes = await asyncio.to_thread(find_codes, unknown, self.source)
        except InvalidDiscount:
            raise
        except Exception as error:
            raise StoreUnavailable(f"promo codes cannot be looked up: {error}") from error
        return tuple([code for code in codes if isinstance(code, PromoCode)])
