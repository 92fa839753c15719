"""Values of the core are written as the types of a view's fields say."""

from typing import NamedTuple

import msgspec
import pytest

from faregate.tax.rates import VatRate
from faregate.translations import Text
from faregate_http.protocol.view_writer import ViewWriter
from faregate_http.schemas.base import Amount, Percent, View


class Station(NamedTuple):
    name: Text
    tags: tuple[Text, ...]
    meta: tuple[tuple[str, str], ...]


class Ticket(NamedTuple):
    id: int
    price: int
    rate: VatRate
    station: Station | None
    stops: tuple[Station, ...]


class StationView(View):
    name: str
    tags: tuple[str, ...]
    meta: dict[str, str]


class TicketView(View):
    id: int
    price: Amount
    rate: Percent
    station: StationView | None
    stops: list[StationView]


class OtherView(View):
    number: int
    price: Amount | None


SUMMIT = Station(Text("Summit", de="Gipfel"), (Text("high", de="hoch"),), (("lift", "7"),))
TICKET = Ticket(1, 4950, VatRate(parts_per_million=81_000), SUMMIT, (SUMMIT,))
GERMAN = ViewWriter("de", "CHF")


def test_fields_are_filled_by_name_in_the_language_and_the_currency() -> None:
    station = StationView("Gipfel", ("hoch",), {"lift": "7"})

    assert GERMAN.write(TicketView, TICKET) == TicketView(1, 49.5, 8.1, station, [station])


def test_what_is_absent_stays_absent() -> None:
    assert GERMAN.write(TicketView, TICKET._replace(station=None)).station is None


def test_given_values_replace_attributes_and_are_written_alike() -> None:
    assert GERMAN.write(OtherView, TICKET, number=TICKET.id, price=700) == OtherView(1, 7)


def test_values_already_written_are_kept_unchanged() -> None:
    raw, view = msgspec.Raw(b"[]"), StationView("Tal", (), {})

    ticket = GERMAN.write(TicketView, TICKET, station=view, stops=raw)

    assert ticket.station is view
    assert ticket.stops is raw  # type: ignore[comparison-overlap]


def test_a_missing_attribute_is_an_error() -> None:
    with pytest.raises(AttributeError, match="number"):
        GERMAN.write(OtherView, TICKET)
