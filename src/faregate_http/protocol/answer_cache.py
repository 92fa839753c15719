"""Answers that were given lately, so that giving one again costs no pricing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from faregate_http.protocol.answers import Answer

_MOST_BYTES = 64 << 20
_MOST_ANSWERS = 20_000
"""Each takes about a kilobyte beside its bytes."""


class AnswerCache:
    """The last answer to each question, and what it holds for.

    Beyond *most_bytes* of questions and answers, or *most_answers*, the oldest go.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES, *, most_answers: int = _MOST_ANSWERS) -> None:
        self._most_bytes = most_bytes
        self._most_answers = most_answers
        self._bytes = 0
        self._answers: dict[Hashable, tuple[Hashable, Answer, int]] = {}

    def get(self, question: Hashable, state: Hashable) -> Answer | None:
        """The answer to *question* while things are in that *state*; None where it is not here."""
        known = self._answers.get(question)
        return known[1] if known is not None and known[0] == state else None

    def put(self, question: Hashable, state: Hashable, answer: Answer) -> None:
        """Keep an answer, and forget the one it replaces."""
        self._forget(question)
        size = _size(question, answer)
        self._answers[question] = state, answer, size
        self._bytes += size
        while self._bytes > self._most_bytes or len(self._answers) > self._most_answers:
            self._forget(next(iter(self._answers)))

    def _forget(self, question: Hashable) -> None:
        known = self._answers.pop(question, None)
        if known is not None:
            self._bytes -= known[2]


def _size(question: Hashable, answer: Answer) -> int:
    """A client may ask at length: a question, and the Link that repeats it, can be longer than the answer."""
    return len(repr(question)) + len(answer.body) + sum([len(value) for _, value in answer.headers])
