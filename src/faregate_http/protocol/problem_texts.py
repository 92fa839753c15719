"""Texts of problems and of failed payments in the four languages, keyed by code. Decisions §15."""

from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

import msgspec


class ProblemText(NamedTuple):
    """Title and detail of a problem in one language."""

    title: str
    detail: str


class _Texts(msgspec.Struct):
    """Content of ``problem_texts.yaml``, keyed by code and language."""

    problems: dict[str, dict[str, ProblemText]]
    payment_errors: dict[str, dict[str, str]]


_TEXTS = msgspec.yaml.decode(
    files("faregate_http.protocol").joinpath("problem_texts.yaml").read_bytes(), type=_Texts
)

PROBLEM_TEXTS: Mapping[str, Mapping[str, ProblemText]] = _TEXTS.problems
"""Texts of each code, keyed by language, in the order of ``problem_texts.yaml``."""


def payment_error(error: str, language: str) -> str:
    """Return the message for *error*, a payment error code; a gateway's own text is returned unchanged.

    >>> payment_error("declined", "de")
    'Die Zahlung wurde abgelehnt.'
    >>> payment_error("Insufficient funds.", "de")
    'Insufficient funds.'
    """
    words = _TEXTS.payment_errors.get(error)
    return error if words is None else words[language]
