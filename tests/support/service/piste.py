"""A running service with the catalogue ``tests/support/catalogues/piste.yaml``, and requests to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from support.service.service import Clock, Json, decoded, item, running

CATALOGUE = Path(__file__).parents[1] / "catalogues" / "piste.yaml"

MORNING = datetime(2026, 12, 21, 7, 0, tzinfo=UTC)
"""A Monday, 08:00 in Zurich."""

SUNDAY = "2026-12-27"
"""The capacity of the mountain."""

DAY, CAR_PARK, RUN, GUIDE, SAVER, VIEW = range(1, 7)
ADULT, FAMILY, CAR, SLEDGE, BOOK, EARLY, SEAT = 10, 11, 20, 30, 40, 50, 60

JOURNEY = "/api/booking/products/{}/journey/validities"


@contextmanager
def piste(folder: Path, clock: Clock | None = None, **options: Any) -> Iterator[TestClient]:
    """Yield a client of the service."""
    with running(folder, catalogue=CATALOGUE, clock=clock or Clock(MORNING), **options) as client:
        yield client


def ticket(item_id: int, variant: int = ADULT, first: str = SUNDAY, last: str | None = None) -> Json:
    """Return a request for one unit valid from *first* to *last*, both days or both instants."""
    return item(item_id, variant, validity={"from": first, "to": last or first})


def validities(client: TestClient, product: int = DAY, **query: Any) -> Json:
    """Return the validities of a product and the link to the next page."""
    response = client.get(JOURNEY.format(product), params=query)
    assert response.status_code == 200, response.text
    return decoded(response)


def suggested(client: TestClient, product: int = DAY, **query: Any) -> Json:
    """Return the suggested validity of a product."""
    response = client.get(f"{JOURNEY.format(product)}/suggested", params=query)
    assert response.status_code == 200, response.text
    return decoded(response)["data"]  # type: ignore[no-any-return]


def places(
    client: TestClient, day: str = SUNDAY, product: int = DAY, variant: int = ADULT, **query: Any
) -> int:
    """Return the available units of a variant on a day."""
    asked = {"dateFrom": day, "dateTo": day, "productVariantId": variant, **query}
    (option, *_) = validities(client, product, **asked)["data"]["options"]
    return option["availableCapacity"]["max"]  # type: ignore[no-any-return]
