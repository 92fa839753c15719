"""The reference of catalogue, basket and rules files as Markdown: the keys that their models have.

The models say the keys, the values and the defaults; ``docs/reference/file_keys.yaml`` says the meanings.
"""

from __future__ import annotations

import json
from enum import Enum
from functools import cache
from pathlib import Path
from pydoc import locate
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

import yaml
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from faregate.files.basket import BasketFile
from faregate.files.catalogue.catalogue import CatalogueFile
from faregate.files.rules import RulesFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

__all__ = ["FILES", "TEXTS", "VALUES", "file_keys", "keys_of", "kinds_of_values", "paths"]

Model: TypeAlias = type[BaseModel]

FILES: tuple[Model, ...] = (CatalogueFile, BasketFile, RulesFile)
TEXTS = yaml.safe_load((Path(__file__).parents[1] / "reference" / "file_keys.yaml").read_text("utf-8"))
_MAX_PATHS = 7
_UNBOUNDED = 10**6


# ---------------------------------------------------------------- models


def keys_of(model: Model) -> dict[str, tuple[Any, FieldInfo]]:
    """Return the keys of an entry, each with its annotation and its field."""
    hints = get_type_hints(model, include_extras=True)
    return {field.alias or name: (hints[name], field) for name, field in model.model_fields.items()}


@cache
def paths(root: Model) -> dict[Model, list[str]]:
    """Return the models of a file, each with the paths of its entries."""
    found: dict[Model, list[str]] = {}
    _visit(root, "", found)
    return found


def _visit(model: Model, path: str, found: dict[Model, list[str]]) -> None:
    found.setdefault(model, []).append(path)
    for key, (hint, _) in keys_of(model).items():
        for inner, mark in _models_in(hint):
            _visit(inner, f"{path}.{key}{mark}".lstrip("."), found)


def _models_in(hint: Any, mark: str = "") -> Iterator[tuple[Model, str]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint, mark
    for argument in get_args(hint):
        yield from _models_in(argument, "[]" if get_origin(hint) in {tuple, frozenset} else mark)


# ---------------------------------------------------------------- sections


def file_keys(root: Model) -> str:
    """Return the keys at the top of a file, and a section for each entry that no file before has.

    Entries that stand under several keys of the file come last.
    """
    before = FILES[: FILES.index(root)]
    new = {model: at for model, at in paths(root).items() if not any(model in paths(file) for file in before)}
    parts = [
        _body(root),
        *(_section(*entry) for entry in new.items() if entry[1][0] and not _is_shared(entry[1])),
    ]
    shared = [_section(*entry) for entry in new.items() if _is_shared(entry[1])]
    return "\n\n".join([*parts, *(["### Shared entries", *shared] if shared else [])]) + "\n"


def _is_shared(found: list[str]) -> bool:
    return len({path.partition(".")[0] for path in found}) > 1


def _section(model: Model, found: list[str]) -> str:
    level = "####" if "." in found[0] or _is_shared(found) else "###"
    shown = [f"`{path}`" for path in found[:_MAX_PATHS]]
    more = [f"{len(found) - _MAX_PATHS} more"] if len(found) > _MAX_PATHS else []
    return "\n\n".join([f"{level} {_text(model)['title']}", ", ".join(shown + more), _body(model)])


def _body(model: Model) -> str:
    meanings = _text(model)["keys"]
    rows = [
        [f"**`{key}`**" if field.is_required() else f"`{key}`", _value(hint), _default(field), meanings[key]]
        for key, (hint, field) in keys_of(model).items()
    ]
    example = f"```yaml\n{_text(model)['example']}```"
    return "\n\n".join([_text(model)["summary"], _table(["key", "value", "default", ""], rows), example])


def _text(model: Model) -> dict[str, Any]:
    texts: dict[str, Any] = TEXTS["entries"][model.__name__]
    return texts


# ---------------------------------------------------------------- values

VALUES: dict[str, Any] = {path: locate(f"faregate.files.{path}") for path in TEXTS["values"]}


def kinds_of_values() -> str:
    """Return the table of the kinds of values that keys take."""
    rows = [
        [kind["name"], kind["meaning"], ", ".join(f"`{each}`" for each in kind["examples"])]
        for kind in TEXTS["values"].values()
    ]
    return _table(["value", "how to write it", "examples"], rows)


def _value(hint: Any) -> str:
    """Return the values that an annotation allows, in words."""
    parts = get_args(hint)
    known = [
        path for path, kind in VALUES.items() if parts and parts[: len(get_args(kind))] == get_args(kind)
    ]
    if known:  # an alias may begin like another
        return str(TEXTS["values"][max(known, key=lambda path: len(get_args(VALUES[path])))]["name"])
    match get_origin(hint):
        case origin if origin is Annotated:
            return f"{_value(parts[0])}{_bounds(hint) if parts[0] is int else ''}"
        case origin if origin in {tuple, frozenset}:
            return f"list of {_value(parts[0])}"
        case origin if origin is dict:
            return f"mapping of {_value(parts[0])} to {_value(parts[1])}"
        case origin if origin is Literal:
            return f"`{parts[0]}`"
        case None:
            return _plain_value(hint)
        case _:
            return " or ".join(_value(part) for part in parts if part is not type(None))


def _plain_value(kind: Any) -> str:
    if issubclass(kind, BaseModel):
        title, short = _text(kind)["title"], _text(kind).get("short")
        link = f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
        return f"{short} or {link}" if short else link
    if issubclass(kind, Enum):
        return ", ".join(f"`{member.value}`" for member in kind)
    return {bool: "`true`, `false`", int: "whole number", str: "text"}[kind]


def _bounds(hint: Any) -> str:
    fields = [each for part in get_args(hint)[1:] for each in getattr(part, "metadata", ())]
    low = next(each.ge for each in fields if hasattr(each, "ge"))
    high = next(each.le for each in fields if hasattr(each, "le"))
    if high >= _UNBOUNDED:
        return "" if low < 0 else f", {low} or more"
    return f", {low} to {high:,}"


def _default(field: FieldInfo) -> str:
    """Return the default of a key, where it is a value that could be written in its place."""
    value = to_jsonable_python(field.default, serialize_unknown=True, fallback=str)
    if field.is_required() or value is None or isinstance(value, dict | list) or value == "":
        return ""
    return f"`{json.dumps(value).strip(chr(34))}`"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [titles, ["---"] * len(titles), *rows])
