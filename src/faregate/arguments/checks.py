"""Argument checks, made at the boundary of the library; pricing itself checks nothing. Decisions §1.4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from operator import index
from types import GenericAlias, UnionType
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args, get_type_hints, overload

from faregate.errors import InvalidInput, InvalidOption

_Option = TypeVar("_Option", bound=Enum)
_Row = TypeVar("_Row")
_LISTS = (list, tuple)
_MAX_SHOWN = 100
_Class = TypeVar("_Class", bound=type[Any])


def option(kind: type[_Option], value: object, name: str) -> _Option:
    """Return *value* as a member of the enumeration *kind*; the exact value of a member is also accepted.

    *name* is the name of the argument in the error message.

    >>> from faregate.basket.policy import PriceBasis
    >>> option(PriceBasis, PriceBasis.NET, "price_basis"), option(PriceBasis, "net", "price_basis")
    (<PriceBasis.NET: 'net'>, <PriceBasis.NET: 'net'>)
    >>> option(PriceBasis, "NET", "price_basis")
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidOption: price_basis is 'NET', expected 'gross' or 'net'

    Raises:
        InvalidOption: *value* is neither a member nor the value of one; the message lists the valid values.
    """
    if type(value) is kind:
        return value
    for member in kind:
        if member.value == value and type(member.value) is type(value):
            return member
    raise InvalidOption(name, value, [member.value for member in kind])


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers from ``least`` to ``most`` (None for no bound); with ``or_none``, None is also valid."""

    least: int | None = None
    most: int | None = None
    or_none: bool = False


Kind: TypeAlias = type | UnionType | Whole
"""Kind of value that a field may hold, written like an annotation: ``int``, ``DateRange | None``,
``frozenset[int]``, ``tuple[Threshold, ...]``, ``tuple[str, str]``; or a ``Whole`` number within bounds."""


def checked(error: type[InvalidInput], **kinds: Kind) -> Callable[[_Class], _Class]:
    """Return a decorator, placed below ``@dataclass``, that checks the fields of each new instance.

    A field must match its annotation, or its entry in *kinds*. *error* is raised for the first field that
    does not match, before the class's own ``__post_init__`` runs. An option given as text is stored as its
    enumeration member, a NumPy integer as an int, a list as a tuple.
    """

    def decorated(cls: _Class) -> _Class:
        kind_of = {name: kinds.get(name, kind) for name, kind in _annotated(cls)}
        fields = [(name, kind, *_exact(kind)) for name, kind in kind_of.items()]
        own = getattr(cls, "__post_init__", None)

        def check(self: object) -> None:
            for name, kind, exact, items in fields:
                value = getattr(self, name)
                if type(value) not in exact or (items is not None and not items.issuperset(map(type, value))):
                    found = require(kind, value, name, error)
                    if found is not value:
                        object.__setattr__(self, name, found)
            if own is not None:
                own(self)

        cls.__post_init__ = check
        return cls

    return decorated


def _annotated(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the fields that the constructor takes, each with its annotation."""
    for name, kind in get_type_hints(cls).items():
        if kind not in (ClassVar, KW_ONLY) and getattr(getattr(cls, name, None), "init", True):
            yield name, kind


def _exact(kind: Any) -> tuple[frozenset[Any], frozenset[Any] | None]:
    """Return the classes that *kind* accepts unchanged and, for a tuple or set, the classes of its items."""
    if isinstance(kind, GenericAlias):
        inner = get_args(kind)
        if kind.__origin__ is tuple and inner[-1] is not ...:
            return frozenset(), None
        return frozenset({kind.__origin__}), frozenset(inner[:1])
    return frozenset(get_args(kind) if isinstance(kind, UnionType) else (kind,)), None


def require(kind: Any, value: object, name: str, error: type[InvalidInput]) -> object:
    """Check *value* against *kind*, a ``Kind``, and return it in the form in which a field stores it.

    >>> from faregate.errors import InvalidDiscount
    >>> require(frozenset[int], {1}, "products", InvalidDiscount)
    frozenset({1})
    >>> require(frozenset[int], {"1"}, "products", InvalidDiscount)
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidDiscount: products contains '1', expected an int

    Raises:
        InvalidOption: *value* is not an option of the enumeration.
        InvalidInput: *value* is of the wrong kind; raised as *error*.
    """
    if isinstance(kind, Whole):
        return None if value is None and kind.or_none else whole(value, name, error, kind.least, kind.most)
    if isinstance(kind, GenericAlias):
        return _held(kind, value, name, error)
    if isinstance(kind, UnionType):
        kinds = [each for each in get_args(kind) if each is not type(None)]
        if value is None and len(kinds) < len(get_args(kind)):
            return None
        if len(kinds) == 1:
            return require(kinds[0], value, name, error)
    elif kind is int:
        return whole(value, name, error)
    elif issubclass(kind, Enum):
        return option(kind, value, name)
    if isinstance(value, kind):
        return value
    raise error(f"{name} is {_shown(value)}, expected {_called(kind)}")


def whole(
    value: object, name: str, error: type[InvalidInput], least: int | None = None, most: int | None = None
) -> int:
    """Return *value* as an int; NumPy integers are accepted, booleans are not.

    Raises:
        InvalidInput: *value* is not a whole number or is out of bounds; raised as *error*.
    """
    found = as_int(value)
    if found is None or (least is not None and found < least) or (most is not None and found > most):
        upwards = "" if least is None else f" of at least {least}"
        bounds = upwards if most is None else f" from {least} to {most}"
        raise error(f"{name} is {value!r}, expected an int{bounds}")
    return found


def rows(
    name: str, given: Iterable[_Row] | None, error: type[InvalidInput], kinds: tuple[type, ...] = ()
) -> tuple[_Row, ...]:
    """Return *given*, the values of the argument *name*, as a tuple; each value must be of one of *kinds*.

    Raises:
        InvalidInput: *given* is a single value, or contains a value of the wrong kind; raised as *error*.
    """
    if given is None:
        raise error(f"{name} is None, expected a list: write [] for none")
    # A NamedTuple is a single value; strings and dicts are iterable, but not lists of values.
    if type(given) not in _LISTS and (
        not hasattr(given, "__iter__") or isinstance(given, str | dict) or hasattr(given, "_fields")
    ):
        alone = repr(given) if isinstance(given, str) else f"{type(given).__name__}(...)"
        raise error(f"{name} is {_shown(given)}, expected a list: write [{alone}] for a single value")
    found = tuple(given)
    for row in found if kinds else ():
        if type(row) not in kinds:
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise error(f"{name} contains {_shown(row)}, expected {expected}")
    return found


@overload
def as_int(value: object) -> int | None: ...


@overload
def as_int(value: object, default: int) -> int: ...


def as_int(value: object, default: int | None = None) -> int | None:
    """Return *value* as an int, or *default* if it is a boolean or not an integer."""
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return default
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return default


def _held(kind: Any, value: object, name: str, error: type[InvalidInput]) -> object:
    """Check *value* against a tuple or frozenset type; a list or a set is accepted and converted."""
    holder, inner = kind.__origin__, get_args(kind)
    if not isinstance(value, (tuple, list) if holder is tuple else (frozenset, set)):
        raise error(f"{name} is {_shown(value)}, expected a {holder.__name__}")
    kinds = inner if inner[-1] is not ... and holder is tuple else inner[:1] * len(value)
    if len(kinds) != len(value):
        raise error(f"{name} is {value!r}, expected a tuple of {len(kinds)}")
    if all(type(item) is own for item, own in zip(value, kinds, strict=True)):
        return value if isinstance(value, holder) else holder(value)
    try:
        return holder([require(own, item, name, error) for item, own in zip(value, kinds, strict=True)])
    except error as fault:
        raise error(str(fault).replace(f"{name} is", f"{name} contains", 1)) from None


def _shown(value: object) -> str:
    """Return *value* for a message: its ``repr`` or, if that is long, its class."""
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else _called(type(value))


def _called(kind: type | UnionType) -> str:
    """Return a kind in words: "a DateRange", "an Absolute, FixedPrice or PerUnit"."""
    names = [each.__name__ for each in get_args(kind) or (kind,) if each is not type(None)]
    *others, last = names
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"{'an' if listed[0] in 'AEIOUaeiou' else 'a'} {listed}"
