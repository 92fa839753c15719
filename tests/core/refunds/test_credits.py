"""The net amount of what a line gets back."""

import pytest

from faregate.refunds.credits import net_of
from faregate.tax.rates import GrossNet

UNITS = [GrossNet(300, 200), GrossNet(400, 300), GrossNet(300, 201), GrossNet(3, 2)]


@pytest.mark.parametrize(
    ("credited", "net"),
    [
        ([0, 0, 0, 0], 0),
        ([300, 400, 0, 0], 500),
        ([100, 0, 0, 0], 67),  # 66.67
        ([1, 2, 1, 0], 3),  # 0.667 + 1.5 + 0.67 = 2.837: each part rounded would be 1 + 2 + 1
        ([300, 1, 1, 0], 201),  # 200 + 0.75 + 0.67 = 201.42
        ([0, 0, 0, 2], 1),  # 1.33
    ],
)
def test_the_net_of_a_line_is_rounded_once(credited: list[int], net: int) -> None:
    assert net_of(UNITS, credited) == net
