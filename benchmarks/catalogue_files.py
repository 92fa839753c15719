"""A large catalogue of 20,000 variants and 5,000 promo codes: ``python -m benchmarks.catalogue_files``.

Prints the seconds and the peak megabytes (by ``tracemalloc``, in a reading of its own) of reading it from
JSON, and the milliseconds of one more promo code and of new prices. Times are median processor times.
"""

from __future__ import annotations

import gc
import json
import tracemalloc
from dataclasses import replace
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from faregate.discounts.kinds import Percentage, PromoCode
from faregate.files import FileFormat, parse_catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

    from faregate.catalogue.catalogue import Catalogue

PRODUCTS, VARIANTS, CODES = 2000, 10, 5000
ROUNDS = 5


def large_file() -> str:
    """Return a catalogue file in JSON: prices by day and for three days, codes for two products."""
    return json.dumps(
        {
            "currency": "CHF",
            "merchants": [{"identifier": "alpina", "timezone": "Europe/Zurich"}],
            "categories": [{"id": 1, "name": {"en": "Tickets", "de": "Tickets"}}],
            "pools": [{"identifier": "mountain", "size": 5000}],
            "channels": [{"uuid": "6f1b1b9e-0000-4000-8000-000000000001", "name": "Shop", "type": "WEB"}],
            "products": [_product(number) for number in range(1, PRODUCTS + 1)],
            "promoCodes": [_code(number) for number in range(1, CODES + 1)],
        }
    )


def _product(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "slug": f"ticket-{number}",
        "identifier": f"T{number}",
        "name": f"Ticket {number}",
        "type": "TICKET",
        "category": 1,
        "merchant": "alpina",
        "priceModel": "CALENDAR",
        "durations": ["P1D", "P3D"],
        "pools": [{"pool": "mountain"}],
        "productVariants": [
            {
                "id": number * VARIANTS + index,
                "name": f"Variant {index}",
                "vatRate": 8.1,
                "prices": [
                    {"amount": 40 + index + 0.05 * (number % 20), "when": {"weekdays": [1, 2, 3, 4, 5]}},
                    {"amount": 50 + index},
                    {"amount": 120 + index, "duration": "P3D"},
                ],
            }
            for index in range(VARIANTS)
        ],
    }


def _code(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "code": f"SUMMER{number}",
        "displayName": {"en": f"Summer {number}", "de": f"Sommer {number}"},
        "discount": {"discountType": "PERCENTAGE", "percent": 5 + number % 20},
        "scope": {"products": [1 + number % PRODUCTS, 1 + number * 7 % PRODUCTS]},
        "conditions": {"endsAt": "2027-01-01T00:00:00+01:00"},
        "usesLeft": 100,
    }


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median processor time of *work*."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times)


def peak_megabytes(work: Callable[[], object]) -> float:
    """Return the peak of traced memory that *work* adds."""
    gc.collect()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    """Print the figures."""
    text = large_file().encode()

    def read() -> Catalogue:
        return parse_catalogue(text, file_format=FileFormat.JSON)

    sold = read()
    code = PromoCode(id=CODES + 1, code="MORE", kind=Percentage.percent(10))
    print(f"read {len(text) / 1e6:.1f} MB of JSON: {seconds(read, 3):.2f} s, {peak_megabytes(read):.0f} MB")
    prices = sold.variant(PRODUCTS * VARIANTS)[1].prices
    changes = {
        "made anew": lambda: replace(sold, promo_codes=(*sold.promo_codes, code)),
        "one more code": lambda: sold.with_promo_code(code),
        "new prices": lambda: sold.with_prices(PRODUCTS * VARIANTS, prices),
    }
    for name, change in changes.items():
        print(f"{name}: {1000 * seconds(change):.1f} ms")


if __name__ == "__main__":
    main()
