"""Texts of problems and of failed payments in the four languages, by code. Decisions §15."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping


class ProblemText(NamedTuple):
    """The title and the detail of a problem in one language."""

    title: str
    detail: str


class _Texts(msgspec.Struct):
    """The content of ``problem_texts.yaml``, by code and language."""

    problems: dict[str, dict[str, ProblemText]]
    payment_errors: dict[str, dict[str, str]]


_TEXTS = msgspec.yaml.decode(
    files("faregate_http.protocol").joinpath("problem_texts.yaml").read_bytes(), type=_Texts
)

PROBLEM_TEXTS: Mapping[str, Mapping[str, ProblemText]] = _TEXTS.problems
"""The texts of each code in each language, in the order in which codes are listed."""


def payment_error(error: str, language: str) -> str:
    """Return *error*, the code of a failed payment, in words; a gateway's own text is returned as it is.

    >>> payment_error("declined", "de")
    'Die Zahlung wurde abgelehnt.'
    >>> payment_error("Insufficient funds.", "de")
    'Insufficient funds.'
    """
    words = _TEXTS.payment_errors.get(error)
    return error if words is None else words[language]
