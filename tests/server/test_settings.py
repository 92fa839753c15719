"""Settings of admission are checked when they are made."""

import pytest

from faregate_http.options import AdmissionLimits
from faregate_server.settings import InvalidSettings, Settings

ONE_EACH = "admission: expected at least 1 request in progress and 1 waiting, got {}"
SHORTER = "admission: expected a wait of at least 0 and less than a third of the deadline, got {}"


@pytest.mark.parametrize(
    ("limits", "faults"),
    [
        (AdmissionLimits(in_progress=0), [ONE_EACH.format("0 and 64")]),
        (AdmissionLimits(waiting=0), [ONE_EACH.format("16 and 0")]),
        (AdmissionLimits(wait_seconds=-1), [SHORTER.format("-1 and 15")]),
        (AdmissionLimits(wait_seconds=5), [SHORTER.format("5 and 15")]),
        (AdmissionLimits(wait_seconds=float("nan")), [SHORTER.format("nan and 15")]),
        (AdmissionLimits(-1, -1, 2, 6), [ONE_EACH.format("-1 and -1"), SHORTER.format("2 and 6")]),
    ],
)
def test_limits_that_cannot_be_met_are_refused(limits: AdmissionLimits, faults: list[str]) -> None:
    with pytest.raises(InvalidSettings) as refused:
        Settings(admission=limits)

    assert list(refused.value.messages) == faults


def test_admission_is_on_unless_it_is_switched_off() -> None:
    assert Settings().options().admission == AdmissionLimits()
    assert Settings(admission=None).options().admission is None
