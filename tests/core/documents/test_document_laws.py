"""Every public value survives every way of storing it; a damaged document is never misread."""

import copy
import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from faregate.documents import decode, encode
from faregate.errors import InvalidDocument
from faregate.files import demo_catalogue
from support.documents.drawn_values import PUBLIC, values_of
from support.effort import share_of

CLASSES = [pytest.param(kind, id=kind.__name__) for kind in PUBLIC]
ADAPTERS = {kind: TypeAdapter(kind) for kind in PUBLIC}
EACH_TIME = 10_000


def check_copies(kind: Any, value: Any) -> None:
    """Check that every copy of *value* equals it and is of its class."""
    text = json.dumps(encode(value), allow_nan=False)
    adapter = ADAPTERS[kind]
    copies = [
        decode(kind, json.loads(text)),
        pickle.loads(pickle.dumps(value)),
        copy.deepcopy(value),
        adapter.validate_json(adapter.dump_json(value)),
        adapter.validate_python(adapter.dump_python(value)),
    ]
    for found in copies:
        assert type(found) is kind
        assert found == value
        assert json.dumps(encode(found)) == text


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=share_of(24))
@given(data=st.data())
def test_a_value_survives_documents_pickle_copies_and_pydantic(kind: Any, data: st.DataObject) -> None:
    check_copies(kind, data.draw(values_of(kind)))


@pytest.mark.long
@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=EACH_TIME // len(PUBLIC))
@given(data=st.data())
def test_many_values_survive(kind: Any, data: st.DataObject) -> None:
    check_copies(kind, data.draw(values_of(kind)))


def test_a_whole_catalogue_survives() -> None:
    catalogue = demo_catalogue()

    check_copies(type(catalogue), catalogue)


Path = tuple[str | int, ...]


def paths(data: Any, here: Path = ()) -> Iterator[Path]:
    """Yield the path to every value in a document."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*here, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*here, key))


def holder_of(data: Any, path: Path) -> Any:
    """Return the object or list that holds the last key of *path*."""
    for key in path[:-1]:
        data = data[key]
    return data


TAGS = ["Absolute", "PerUnit", "Monthly", "PromoCode", "UnknownCode", "RejectedCode"]
OTHERS: list[Any] = [None, True, 1, 1.0, 0.5, "x", "", [], {}, ["x"], {"type": "Scope"}, 10**30, *TAGS]


def replaced(data: Any, path: Path, other: Any) -> None:
    holder_of(data, path)[path[-1]] = other


def renamed(data: Any, path: Path, other: Any) -> None:
    holder = holder_of(data, path)
    if isinstance(holder, dict):
        holder[f"{path[-1]}s"] = holder.pop(path[-1])
    else:
        holder.insert(path[-1], other)


def dropped(data: Any, path: Path, _: Any) -> None:
    del holder_of(data, path)[path[-1]]


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=share_of(24))
@given(data=st.data(), damage=st.sampled_from([replaced, renamed, dropped]), other=st.sampled_from(OTHERS))
def test_a_damaged_document_is_refused_at_the_damage_or_still_valid(
    kind: Any, data: st.DataObject, damage: Any, other: Any
) -> None:
    written = encode(data.draw(values_of(kind)))
    damaged = copy.deepcopy(written)
    path = data.draw(st.sampled_from([*paths(written)] or [()]))
    if not path:
        damaged, path = other, ()
    else:
        damage(damaged, path, copy.deepcopy(other))
    found, issues = read(kind, damaged)

    # Above the damage (a check of the whole value), at it or in it, or beside it (a key that is missing now).
    around = len(path[:-1])
    assert all(loc == path[: len(loc)] or loc[:around] == path[:-1] for loc in issues)
    assert issues or says(encode(found), damaged)


def read(kind: Any, data: Any) -> tuple[Any, list[Path]]:
    """Return the value that *data* stands for, or the locations of its issues."""
    try:
        return decode(kind, data), []
    except InvalidDocument as error:
        return None, [issue.loc for issue in error.issues]


def says(written: Any, given: Any) -> bool:
    """Return whether *given* says the same as *written*, which is sorted, without defaults or odd codes."""
    if isinstance(given, dict) and isinstance(written, dict):
        return written.keys() <= given.keys() and all(says(written[key], given[key]) for key in written)
    if isinstance(given, list) and isinstance(written, list):
        ordered = sorted(given) if all(type(item) is int for item in given) else given
        return len(given) == len(written) and (given == written or all(map(says, written, ordered)))
    return type(given) is type(written) and (given == written or isinstance(given, str))


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=share_of(24))
@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    )
)
def test_arbitrary_data_is_refused_as_a_document(kind: Any, data: Any) -> None:
    found, issues = read(kind, data)

    assert issues or says(encode(found), data)
