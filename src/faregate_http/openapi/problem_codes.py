"""Problem codes of each operation. Decisions §15."""

from collections.abc import Mapping

from faregate_http.admission.decisions import step_of
from faregate_http.openapi.interface import INTERFACE
from faregate_http.operations import Operation
from faregate_http.protocol.problem_texts import PROBLEM_TEXTS

MEANINGS: Mapping[str, str] = {code: texts["en"].detail for code, texts in PROBLEM_TEXTS.items()}
"""Meaning of each code, in the order of ``problem_texts.yaml``."""


def reads_token(operation: Operation) -> bool:
    """Return True if *operation* reads an account's token, as operations on checkouts and orders do."""
    names_checkout = any(parameter.name == "checkoutId" for parameter in operation.query)
    return operation.needs_account or operation.takes_token or operation.is_of_order or names_checkout


def problem_codes(operation: Operation) -> dict[int, tuple[str, ...]]:
    """Return the codes of all problems with which *operation* can respond, keyed by status."""
    general = INTERFACE["general_problems"]
    tables = [general[trait] for trait in _traits(operation)]
    tables += INTERFACE["operations"][operation.name].get("problems", [])
    found: dict[int, set[str]] = {}
    for table in tables:
        for status, codes in table.items():
            found.setdefault(status, set()).update(codes)
    order = list(MEANINGS)
    return {status: tuple(sorted(found[status], key=order.index)) for status in sorted(found)}


def _traits(operation: Operation) -> list[str]:
    """Return the names of *operation*'s traits, under which ``interface.yaml`` lists general problems."""
    traits = {
        "always": True,
        "that_waits_its_turn": step_of(operation.method, operation.path) is not None,
        "on_a_channel": operation.has_channel,
        "with_a_channel_key": operation.has_channel and operation.asks_key,
        "with_a_body": operation.body is not None,
        "with_an_idempotency_key": operation.is_keyed and bool(operation.body or operation.query),
        "with_a_token": reads_token(operation),
        "with_an_account": operation.needs_account,
    }
    return [trait for trait, is_given in traits.items() if is_given]
