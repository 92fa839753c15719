"""The reference of catalogue, basket and rules files as Markdown: the keys that their models have.

The models say the keys, their values and defaults; ``docs/reference/file_keys.yaml`` says the meanings.
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
    from collections.abc import Iterable, Iterator

    from pydantic.fields import FieldInfo

__all__ = ["FILES", "TEXTS", "VALUES", "file_keys", "file_values", "keys_of", "paths"]

_Model: TypeAlias = type[BaseModel]

FILES: dict[str, _Model] = {"catalogue": CatalogueFile, "basket": BasketFile, "rules": RulesFile}
TEXTS = yaml.safe_load((Path(__file__).parents[1] / "reference" / "file_keys.yaml").read_text("utf-8"))
VALUES: dict[str, Any] = {name: locate(f"faregate.files.{name}") for name in TEXTS["values"]}

_MAX_PATHS = 7
_UNBOUNDED = 10**6


def keys_of(model: _Model) -> dict[str, tuple[Any, FieldInfo]]:
    """Return the keys of an entry, each with its annotation and its field."""
    hints = get_type_hints(model, include_extras=True)
    return {field.alias or name: (hints[name], field) for name, field in model.model_fields.items()}


@cache
def paths(root: _Model) -> dict[_Model, list[str]]:
    """Return the models of the entries of a file, each with the paths of its entries."""
    found: dict[_Model, list[str]] = {}
    for path, model in _entries(root, ""):
        found.setdefault(model, []).append(path)
    return found


def _entries(model: _Model, prefix: str) -> Iterator[tuple[str, _Model]]:
    for key, (hint, _) in keys_of(model).items():
        for inner, mark in _models_in(hint, ""):
            yield f"{prefix}{key}{mark}", inner
            yield from _entries(inner, f"{prefix}{key}{mark}.")


def _models_in(hint: Any, mark: str) -> Iterator[tuple[_Model, str]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint, mark
    for argument in get_args(hint):
        yield from _models_in(argument, "[]" if get_origin(hint) in {tuple, frozenset} else mark)


def file_keys(root: _Model) -> str:
    """Return the keys at the top of a file, then its entries, except those of a catalogue file.

    Entries that stand below several of these keys come last.
    """
    known = {} if root is CatalogueFile else paths(CatalogueFile)
    new = [entry for entry in paths(root).items() if entry[0] not in known]
    own = [_section(*entry) for entry in new if not _is_shared(entry[1])]
    shared = [_section(*entry) for entry in new if _is_shared(entry[1])]
    return "\n\n".join([_body(root), *own, *["### Shared entries"][: len(shared)], *shared]) + "\n"


def _is_shared(found: list[str]) -> bool:
    return len({path.partition(".")[0] for path in found}) > 1


def _section(model: _Model, found: list[str]) -> str:
    level = "####" if "." in found[0] or _is_shared(found) else "###"
    shown = _codes(found[:_MAX_PATHS]) + ", …" * (len(found) > _MAX_PATHS)
    return f"{level} {_text(model)['title']}\n\n{shown}\n\n{_body(model)}"


def _body(model: _Model) -> str:
    text, rows = _text(model), []
    for key, (hint, field) in keys_of(model).items():
        bold = "**" if field.is_required() else ""
        rows.append([f"{bold}`{key}`{bold}", _value(hint), _default(field), text["keys"][key]])
    table = _table(["key", "value", "default", "meaning"], rows)
    return f"{text['summary']}\n\n{table}\n\n```yaml\n{text['example']}```"


def _text(model: _Model) -> Any:
    return TEXTS["entries"][model.__name__]


def _default(field: FieldInfo) -> str:
    """Return the default of a key as a file has it; an empty one is left out, and one minor unit."""
    value = None if field.is_required() else to_jsonable_python(field.get_default(call_default_factory=True))
    if value is None or value == "" or isinstance(value, list | dict) or field.alias == "increment":
        return ""
    if field.alias == "percent":
        value //= 10_000
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(titles: list[str], rows: list[list[str]]) -> str:
    """Return a table of Markdown, without columns that are empty."""
    columns = [column for column in zip(titles, ["---"] * len(titles), *rows, strict=True) if any(column[2:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True))


def file_values() -> str:
    """Return the kinds of values that keys have, each with the way to write it."""
    rows = [[kind["name"], kind["meaning"], _codes(kind["examples"])] for kind in TEXTS["values"].values()]
    return _table(["value", "meaning", "examples"], rows)


def _value(hint: Any) -> str:
    """Return the values that an annotation allows, in words."""
    origin, parts = get_origin(hint), get_args(hint)
    names = [name for name, alias in VALUES.items() if parts[: len(get_args(alias))] == get_args(alias)]
    if names:  # the parts of one may begin with those of another
        return str(TEXTS["values"][max(names, key=lambda name: len(get_args(VALUES[name])))]["name"])
    if origin is Annotated:
        return _value(parts[0]) + (_bounds(parts) if parts[0] is int else "")
    if origin in {tuple, frozenset}:
        item = _value(parts[0])
        return f"list of {item}" + "s" * item[-1].isalpha()
    if origin is dict:
        return f"mapping of {_value(parts[0])} to {_value(parts[1])}"
    if origin is Literal:
        return f"`{parts[0]}`"
    if parts:
        return " or ".join(_value(part) for part in parts if part is not type(None))
    if issubclass(hint, BaseModel):
        title, short = _text(hint)["title"], _text(hint).get("short")
        return (f"{short} or " if short else "") + f"[{title}](#{title.lower().replace(' ', '-')})"
    if issubclass(hint, Enum):
        return _codes(member.value for member in hint)
    return {bool: "`true`, `false`", int: "whole number", str: "text"}[hint]


def _bounds(parts: tuple[Any, ...]) -> str:
    bounds = [bound for part in parts[1:] for bound in getattr(part, "metadata", ())]
    low = next(bound.ge for bound in bounds if hasattr(bound, "ge"))
    high = next(bound.le for bound in bounds if hasattr(bound, "le"))
    return f", {low} to {high:,}" if high < _UNBOUNDED else f", {low} or more" if low >= 0 else ""
