"""Repeated warnings are summarised, so that an overload writes few lines."""

import io
import logging
from collections.abc import Iterator

import pytest

from faregate_cli.serve.repeats import MOST_LINES, Repeats

LOG = logging.getLogger("faregate.tests.repeats")


@pytest.fixture
def repeats(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Repeats, io.StringIO]]:
    """Yield the filter of a log, and the text of the log."""
    text, repeats = io.StringIO(), Repeats()
    handler = logging.StreamHandler(text)
    handler.addFilter(repeats)
    for name in (LOG.name, "faregate.serve"):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [handler])
        monkeypatch.setattr(logger, "propagate", False)
        monkeypatch.setattr(logger, "level", logging.INFO)
        logger.manager._clear_cache()  # type: ignore[attr-defined]
    yield repeats, text
    repeats.summarise()


def refuse(number: int, problem: str = "overloaded") -> None:
    for count in range(number):
        LOG.error("%s: %d", "POST", count, extra={"status": 503, "problem": problem})


def test_an_overload_of_a_minute_writes_at_most_a_hundred_lines(
    repeats: tuple[Repeats, io.StringIO],
) -> None:
    log, text = repeats
    for problem in ("overloaded", "storage-unavailable", "payment-unclear"):
        refuse(4_000, problem)
    log.summarise()

    lines = text.getvalue().splitlines()
    assert len(lines) == 3 * (MOST_LINES + 1) <= 100
    assert lines[:2] == ["POST: 0", "POST: 1"]
    assert lines[-1] == f"{4_000 - MOST_LINES} more lines like '%s: %d' of {LOG.name}"


def test_without_the_filter_each_line_is_written(repeats: tuple[Repeats, io.StringIO]) -> None:
    log, text = repeats
    LOG.handlers[0].removeFilter(log)
    refuse(200)

    assert len(text.getvalue().splitlines()) == 200


def test_the_next_interval_begins_anew(repeats: tuple[Repeats, io.StringIO]) -> None:
    log, text = repeats
    refuse(MOST_LINES)
    log.summarise()
    refuse(MOST_LINES)

    assert len(text.getvalue().splitlines()) == 2 * MOST_LINES


def test_lines_of_other_levels_are_all_written(repeats: tuple[Repeats, io.StringIO]) -> None:
    _, text = repeats
    for count in range(50):
        LOG.info("request %d", count)

    assert len(text.getvalue().splitlines()) == 50


def test_the_interval_ends_by_itself(
    repeats: tuple[Repeats, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faregate_cli.serve.repeats.INTERVAL_SECONDS", 0.01)
    log, text = repeats
    refuse(MOST_LINES + 3)
    timer = log._end
    assert timer is not None
    timer.join(10)

    assert text.getvalue().splitlines()[-1].startswith("3 more lines")
