"""The reference of catalogue, basket and rules files as Markdown: the keys of their entries.

The entries say the keys, their values and defaults; ``docs/reference/file_keys.yaml`` says the meanings.
"""

from __future__ import annotations

import json
from functools import cache
from inspect import Parameter
from pathlib import Path
from pydoc import locate
from typing import TYPE_CHECKING, Any

import yaml
from pydantic_core import to_jsonable_python

from faregate.catalogue.entries import Entries
from faregate.discounts.kinds import DiscountType
from faregate.discounts.pricing_rules import PricingRules
from faregate.files.basket import BASKET
from faregate.files.entries import Entry, Field, ListOf, MappingOf, OneOf, Tagged, entry_of
from faregate.files.fields.forms import Form, Integer
from faregate.files.fields.types import BOOLEAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["FILES", "TEXTS", "VALUES", "file_keys", "file_values", "keys_of", "paths"]

FILES: dict[str, Entry] = {"catalogue": entry_of(Entries), "basket": BASKET, "rules": entry_of(PricingRules)}
TEXTS = yaml.safe_load((Path(__file__).parents[1] / "reference" / "file_keys.yaml").read_text("utf-8"))
VALUES: dict[str, Form] = {name: locate(f"faregate.files.{name}") for name in TEXTS["values"]}  # type: ignore[misc]

_MAX_PATHS = 7
_UNBOUNDED = 10**6


def keys_of(entry: Entry) -> dict[str, Field]:
    """Return the keys of an entry in the order of their meanings; a discount has one for its kind."""
    fields = dict(entry.fields)
    kind = getattr(entry.kind, "type", None)
    if isinstance(kind, DiscountType):
        fields["discountType"] = Field("", OneOf({kind.value: kind}), Parameter.empty, is_optional=False)
    order = [*_text(entry)["keys"], *fields]
    return dict(sorted(fields.items(), key=lambda item: order.index(item[0])))


@cache
def paths(root: Entry) -> dict[Entry, list[str]]:
    """Return the entries in a file, each with its paths."""
    found: dict[Entry, list[str]] = {}
    for path, entry in _entries(root, ""):
        found.setdefault(entry, []).append(path)
    return found


def _entries(entry: Entry, prefix: str) -> Iterator[tuple[str, Entry]]:
    for key, field in keys_of(entry).items():
        for inner, mark in _entries_in(field.form, ""):
            yield f"{prefix}{key}{mark}", inner
            yield from _entries(inner, f"{prefix}{key}{mark}.")


def _entries_in(form: Form, mark: str) -> Iterator[tuple[Entry, str]]:
    match form:
        case Entry():
            yield form, mark
        case ListOf():
            yield from _entries_in(form.item, "[]")
        case Tagged():
            yield from [(member, mark) for member in form.members.values()]


def file_keys(root: Entry) -> str:
    """Return the keys at the top of a file, then its entries, except those of a catalogue file.

    Entries that stand below several of these keys come last.
    """
    known = {} if root is FILES["catalogue"] else paths(FILES["catalogue"])
    new = [entry for entry in paths(root).items() if entry[0] not in known]
    own = [_section(*entry) for entry in new if not _is_shared(entry[1])]
    shared = [_section(*entry) for entry in new if _is_shared(entry[1])]
    return "\n\n".join([_body(root), *own, *["### Shared entries"][: len(shared)], *shared]) + "\n"


def _is_shared(found: list[str]) -> bool:
    return len({path.partition(".")[0] for path in found}) > 1


def _section(entry: Entry, found: list[str]) -> str:
    level = "####" if "." in found[0] or _is_shared(found) else "###"
    shown = _codes(found[:_MAX_PATHS]) + ", …" * (len(found) > _MAX_PATHS)
    return f"{level} {_text(entry)['title']}\n\n{shown}\n\n{_body(entry)}"


def _body(entry: Entry) -> str:
    text, rows = _text(entry), []
    for key, field in keys_of(entry).items():
        bold = "**" if field.is_required else ""
        rows.append([f"{bold}`{key}`{bold}", _value(field.form), _default(key, field), text["keys"][key]])
    table = _table(["key", "value", "default", "meaning"], rows)
    return f"{text['summary']}\n\n{table}\n\n```yaml\n{text['example']}```"


def _text(entry: Entry) -> Any:
    return TEXTS["entries"][entry.kind.__name__]


def _default(key: str, field: Field) -> str:
    """Return the default of a key as a file has it; an empty one is left out, and one minor unit."""
    value = None if field.is_required else to_jsonable_python(field.default)
    if value is None or value == "" or isinstance(value, list | dict) or key == "increment":
        return ""
    if key == "percent":
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


def _value(form: Form) -> str:
    """Return the values that a form allows, in words."""
    names = [name for name, known in VALUES.items() if known is form]
    if names:
        return str(TEXTS["values"][names[0]]["name"])
    match form:
        case Entry():
            title, short = _text(form)["title"], _text(form).get("short")
            return (f"{short} or " if short else "") + f"[{title}](#{title.lower().replace(' ', '-')})"
        case ListOf():
            item = _value(form.item)
            return f"list of {item}" + "s" * item[-1].isalpha()
        case MappingOf():
            return f"mapping of short text to {_value(form.value)}"
        case OneOf():
            return _codes(form.members)
        case Tagged():
            return " or ".join(map(_value, form.members.values()))
        case Integer():
            return "whole number" + _bounds(form)
        case _:
            return "`true`, `false`" if form is BOOLEAN else "text"


def _bounds(form: Integer) -> str:
    if form.most < _UNBOUNDED:
        return f", {form.least} to {form.most:,}"
    return f", {form.least} or more" if form.least >= 0 else ""
