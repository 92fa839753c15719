"""Donations for whole columns of totals. Decisions §6."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from faregate.amount_due import donation
from faregate.batch.columns.values import Numbers, aligned, answer_by_row, whole_numbers


def donation_amount(totals: npt.NDArray[np.integer] | int, *, step: npt.NDArray[np.integer] | int) -> Numbers:
    """Return the donation that rounds each total up to a multiple of *step*: int64 ``[n]``.

    Both arguments are int64 ``[n]`` (or a dtype that fits) in minor units, or one int for all rows. The
    donation is 0 for a total that is already a multiple. It is smaller than the step, so it cannot overflow.

    >>> donation_amount(np.array([4735, 5000]), step=500)
    array([265,   0])

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidAmount: a total is negative or a step is below 1.
    """
    shape, (column, steps) = aligned(totals=whole_numbers("totals", totals), step=whole_numbers("step", step))

    result = np.empty(column.shape, np.int64)
    answer_by_row(
        result,
        np.arange(len(result)),
        lambda row: donation.donation_amount(int(column[row]), step=int(steps[row])),
    )
    return result.reshape(shape)
