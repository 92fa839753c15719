"""What every function over arrays checks before it trusts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from faregate.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable


def require_array(name: str, value: object, dtype: type[np.generic], **axes: int | None) -> None:
    """Refuse what is no array of *dtype* with these *axes*; an axis is given its size, or None for any.

    >>> require_array("free", np.zeros((3, 2)), np.int32, days=None, pools=4)
    Traceback (most recent call last):
    faregate.errors.InvalidInput: free: expected int32 [days, pools = 4], got float64 [3, 2]

    Raises:
        InvalidInput: it is not.
    """
    if not (
        isinstance(value, np.ndarray)
        and value.dtype == dtype
        and value.ndim == len(axes)
        and all(size in (None, own) for size, own in zip(axes.values(), value.shape, strict=True))
    ):
        shape = ", ".join(axis if size is None else f"{axis} = {size}" for axis, size in axes.items())
        raise InvalidInput(f"{name}: expected {np.dtype(dtype)} [{shape}], got {described(value)}")


def require_at_least(least: int, name: str, numbers: Iterable[int]) -> None:
    """Refuse whatever among *numbers* is no int of at least *least*, all of it together.

    Raises:
        InvalidInput: something is.
    """
    faults = [
        f"{name}: expected an int of at least {least}, got {number!r}"
        for number in numbers
        if type(number) is not int or number < least
    ]
    if faults:
        raise InvalidInput(*faults)


def described(value: object) -> str:
    """Dtype and shape of an array, or what it is instead.

    >>> described(np.zeros((3, 2), np.int32)), described([1, 2])
    ('int32 [3, 2]', 'list')
    """
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {list(value.shape)}"
    return type(value).__name__
