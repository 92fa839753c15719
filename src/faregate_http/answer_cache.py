"""Answers that were given lately, so that giving one again costs no pricing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from faregate_http.answers import Answer

__all__ = ["AnswerCache"]

_MOST_BYTES = 64 << 20


class AnswerCache:
    """The last answer to each question, and what it holds for; beyond *most_bytes* the oldest go."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._answers: dict[Hashable, tuple[Hashable, Answer]] = {}

    def get(self, question: Hashable, state: Hashable) -> Answer | None:
        """The answer to *question* while things are in that *state*; None where it is not here."""
        known = self._answers.get(question)
        return known[1] if known is not None and known[0] == state else None

    def put(self, question: Hashable, state: Hashable, answer: Answer) -> None:
        """Keep an answer, and forget the one it replaces."""
        self._forget(question)
        self._answers[question] = state, answer
        self._bytes += len(answer.body)
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._answers)))

    def _forget(self, question: Hashable) -> None:
        known = self._answers.pop(question, None)
        if known is not None:
            self._bytes -= len(known[1].body)
