"""A hut with few beds, and a count of the units that its checkouts hold."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.held_units import units_held_by
from faregate.files import load_catalogue
from faregate_http.checkouts.stored_inputs import read_inputs

HUT = Path(__file__).with_name("hut.yaml")
LUNCH = 411
NIGHT = 1
BED, ROOM, HALF_BOARD = 10, 11, 12
BEDS = 10


def check_holds(database: Path, catalogue: Path = HUT) -> None:
    """Check that each checkout holds exactly what its items need, and that nothing is oversold.

    Expired checkouts lose their holds: run this within half an hour.
    """
    core = load_catalogue(catalogue)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("BEGIN")
        checkouts = connection.execute("SELECT id, channel, inputs FROM checkouts").fetchall()
        holds = connection.execute("SELECT checkout_id, pool, slot, units, is_sold FROM holds").fetchall()
        capacity = connection.execute("SELECT pool, slot, size, sold, held FROM capacity").fetchall()
    pools = {pool.identifier for pool in core.pools}  # limits of codes are in the same tables
    holds = [hold for hold in holds if hold[1] in pools]
    held = {(uuid, pool, slot): units for uuid, pool, slot, units, _ in holds}
    wanted = {
        (uuid, *slot): units
        for uuid, channel, inputs in checkouts
        for slot, units in _demand(channel, inputs, core).items()
    }
    assert held == wanted, "the holds are not what the items take"
    sums: Counter[tuple[str, str, bool]] = Counter()
    for _, pool, slot, units, is_sold in holds:
        sums[pool, slot, is_sold == 1] += units
    for pool, slot, size, sold, counted in capacity:
        if pool in pools:
            found = sums.pop((pool, slot, True), 0), sums.pop((pool, slot, False), 0)
            assert (sold, counted) == found, f"{pool} {slot}: the holds are miscounted"
            assert sold + counted <= size == core.pool(pool).size, f"{pool} {slot} is oversold"
    assert not sums


def _demand(channel: str, inputs: str, catalogue: Catalogue) -> dict[tuple[str, str], int]:
    checkout = read_inputs(inputs.encode(), channel=channel, account=None, catalogue=catalogue)
    return {
        (pool, f"{day}T{start:%H:%M}" if start else str(day)): units
        for (pool, day, start), units in units_held_by(checkout, catalogue=catalogue).items()
    }
