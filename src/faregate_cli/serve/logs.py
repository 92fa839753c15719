"""Log lines with the ids of the requests: JSON objects for machines, or text for people."""

import atexit
import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from faregate_cli.serve.log_formats import LogFormat
from faregate_cli.serve.repeats import Repeats
from faregate_http.protocol.observed import observed
from faregate_http.telemetry import REQUEST_LOG


def set_up_logs(*, log_format: LogFormat = LogFormat.AUTO, logs_requests: bool = False) -> None:
    """Make all loggers of this process write to standard error.

    Failed and slow requests are logged; with *logs_requests*, all of them. Repeated warnings and errors are
    summarised.
    """
    is_terminal = sys.stderr.isatty()
    is_text = log_format is LogFormat.TEXT or (log_format is LogFormat.AUTO and is_terminal)
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_of_every_line(),
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_rendered(is_text=is_text, has_colours=is_terminal),
            ],
        )
    )
    repeats = Repeats()
    handler.addFilter(repeats)
    atexit.register(repeats.summarise)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger(REQUEST_LOG).setLevel(logging.INFO if logs_requests else logging.WARNING)
    # The command reports migrations itself, and the caller reports failed fetches.
    for name in ("alembic", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _of_every_line() -> list[Processor]:
    return [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _request_named,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _request_named(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop("color_message", None)  # uvicorn's line again, in colours
    request = observed()
    if request.id:
        event["request_id"] = request.id
    return event


def _rendered(*, is_text: bool, has_colours: bool) -> list[Processor]:
    if is_text:
        return [structlog.dev.ConsoleRenderer(colors=has_colours)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
