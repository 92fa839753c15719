"""What every function over arrays checks before it trusts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from faregate.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt


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


def checked_column(name: str, value: object, dtype: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return a column of *dtype* and *shape*; for int64 any dtype that fits will do.

    Raises:
        InvalidInput: it has another dtype or shape.
    """
    if not isinstance(value, np.ndarray) or value.shape != shape or not _is_of(value.dtype, dtype):
        raise InvalidInput(f"{name}: expected {dtype} {list(shape)}, got {described(value)}")
    return value.astype(dtype, copy=False)


def _is_of(own: np.dtype[Any], dtype: str) -> bool:
    return fits_int64(own) if dtype == "int64" else own == dtype


def fits_int64(dtype: np.dtype[Any]) -> bool:
    """Return whether integers of *dtype* fit int64."""
    return dtype.kind in "iu" and np.can_cast(dtype, np.int64)


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
