"""Foundations of the comparison: results that agree, figures that a table keeps, and a stable picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import growth
from benchmarks.comparison import batch
from benchmarks.comparison.batch_arrays import with_numpy
from benchmarks.comparison.batch_workload import BatchPeer, check_sample, difference, workload
from benchmarks.comparison.contenders import LeftOut
from benchmarks.comparison.node import in_cents
from benchmarks.workload import Figures

CARTS = 500
FIGURES = {curve.name: dict.fromkeys(curve.sizes, 1.25e-5) for curve in growth.CURVES}


@pytest.mark.parametrize("make", batch.PEERS)
def test_every_way_to_price_a_batch_matches_the_scalar_function(
    make: Callable[[], BatchPeer],
) -> None:
    carts = workload(CARTS)
    try:
        peer = make()
    except LeftOut as reason:
        pytest.skip(str(reason))

    answer = peer.read(peer.prepare(carts)())

    check_sample(carts, answer)
    assert difference(answer, with_numpy(carts)()) == "exact"


def test_a_batch_that_is_a_cent_off_is_detected() -> None:
    carts = workload(CARTS)
    right, wrong = with_numpy(carts)(), with_numpy(carts)()
    wrong.lines.total_net[7] += 1

    assert difference(wrong, right) == "1 lines other"
    with pytest.raises(ValueError, match="cart"):
        check_sample(carts, wrong)


def test_parts_of_cents_are_rounded_half_up() -> None:
    row = in_cents([0.5, 1.5, 2.4999999, 3, 4.0, 0, -0.0, 7])

    assert row == Figures(1, 2, 2, 3, 4, 0, 0, 7)


def test_figures_are_read_from_the_table_as_they_are_shown() -> None:
    page = growth.with_table(f"before {growth.BEGIN}{growth.END} after", FIGURES)

    assert growth.read_table(page) == {name: pytest.approx(own, abs=1e-6) for name, own in FIGURES.items()}
    assert growth.with_table(page, growth.read_table(page)) == page


def test_the_same_figures_give_the_same_picture(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        growth.draw(FIGURES, tmp_path / name)

    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
