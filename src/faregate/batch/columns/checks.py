"""Checks of the dtype, shape and bounds of arguments that are arrays."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from faregate.errors import InvalidInput


def require_array(name: str, value: object, dtype: type[np.generic], **axes: int | None) -> None:
    """Check that *value* is an array of *dtype* with these *axes*, each given as a size or None for any size.

    >>> require_array("free", np.zeros((3, 2)), np.int32, days=None, pools=4)
    Traceback (most recent call last):
    faregate.errors.InvalidInput: free: expected int32 [days, pools = 4], got float64 [3, 2]
    """
    if not (
        isinstance(value, np.ndarray)
        and value.dtype == dtype
        and value.ndim == len(axes)
        and all(size in (None, own) for size, own in zip(axes.values(), value.shape, strict=True))
    ):
        shape = ", ".join(axis if size is None else f"{axis} = {size}" for axis, size in axes.items())
        raise InvalidInput(f"{name}: expected {np.dtype(dtype)} [{shape}], got {described(value)}")


def checked_column(name: str, value: object, dtype: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return *value*, a column of *shape*, as *dtype*; if that is int64, any dtype that fits is accepted."""
    if not isinstance(value, np.ndarray) or value.shape != shape or not _is_of(value.dtype, dtype):
        raise InvalidInput(f"{name}: expected {dtype} {list(shape)}, got {described(value)}")
    return value.astype(dtype, copy=False)


def _is_of(own: np.dtype[Any], dtype: str) -> bool:
    return fits_int64(own) if dtype == "int64" else own == dtype


def fits_int64(dtype: np.dtype[Any]) -> bool:
    """Return True if integers of *dtype* fit int64."""
    return dtype.kind in "iu" and np.can_cast(dtype, np.int64)


def require_at_least(least: int, name: str, numbers: Iterable[int]) -> None:
    """Check that all *numbers* are ints of at least *least*; the error lists every one that is not."""
    faults = [
        f"{name}: expected an int of at least {least}, got {number!r}"
        for number in numbers
        if type(number) is not int or number < least
    ]
    if faults:
        raise InvalidInput(*faults)


def described(value: object) -> str:
    """Return the dtype and shape of an array, or the type of any other value.

    >>> described(np.zeros((3, 2), np.int32)), described([1, 2])
    ('int32 [3, 2]', 'list')
    """
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {list(value.shape)}"
    return type(value).__name__
