"""Checks of the ids by which gates identify variants. Decisions §9."""

from collections.abc import Iterator

from faregate.catalogue.checks.parts import Parts
from faregate.catalogue.gate_ids import CATEGORY_KINDS, AccessIds, access_ids, is_access_id
from faregate.catalogue.products import Variant
from faregate.errors import Issue, Loc

_PARTNERS = {**CATEGORY_KINDS, **{category: product for product, category in CATEGORY_KINDS.items()}}


def gate_id_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for gate ids that are ambiguous, cannot be requested, or have no counterpart."""
    known: dict[AccessIds, int] = {}
    for loc, variant in parts.of(Variant):
        yield from _odd_ids((*loc, "external_ids"), variant)
        for ids, index in access_ids(variant):
            other = known.setdefault(ids, variant.id)
            if other != variant.id:
                message = f"{ids[0]} with {ids[1]} already identifies variant {other}"
                yield Issue((*loc, "external_ids", index), message)


def _odd_ids(loc: Loc, variant: Variant) -> Iterator[Issue]:
    held = {(entry.system, entry.kind) for entry in variant.external_ids}
    seen = set()
    for n, entry in enumerate(variant.external_ids):
        system, kind, value = entry.system, entry.kind, entry.value
        if kind not in _PARTNERS:
            continue
        if (system, kind) in seen:
            yield Issue((*loc, n), f"system {system!r} has more than one {kind}")
        elif (system, _PARTNERS[kind]) not in held:
            yield Issue((*loc, n), f"needs a {_PARTNERS[kind]} of system {system!r}")
        seen.add((system, kind))
        if not is_access_id(kind, value):
            yield Issue((*loc, n, "value"), f"expected a whole number of at most 18 digits, got {value!r}")
