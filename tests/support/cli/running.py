"""Running the command line for tests, in this process or in a new one."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

from click.testing import CliRunner, Result

from faregate_cli.app import app
from faregate_cli.catalogue.contents import read_catalogue
from faregate_cli.price.priced_basket import PricedBasket, price_basket

HERE = Path(__file__).parent
CATALOGUES = HERE.parent / "catalogues"
VILLAGE = CATALOGUES / "village.yaml"
SLOPES = CATALOGUES / "slopes.yaml"
BASKET = HERE / "basket.json"
AT = "2026-12-03T21:30:00+01:00"
GROSS, NET = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"

ESCAPE = "\x1b"

# Empty values override the environment of the test run.
_PLAIN = {"FORCE_COLOR": "", "NO_COLOR": "", "TTY_COMPATIBLE": "", "TTY_INTERACTIVE": ""}


def run(*arguments: str | Path, text: str | bytes = "", columns: int = 100) -> Result:
    """Run a command in this process; *text* is its standard input."""
    environment = {**_PLAIN, "COLUMNS": str(columns)}
    with _kept_logs():
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=text, env=environment)


@contextmanager
def _kept_logs() -> Iterator[None]:
    """Restore the logging of this process, which ``serve`` configures."""
    root, known = logging.getLogger(), logging.Logger.manager.loggerDict.values()
    levels = [(logger, logger.level) for logger in (root, *known) if isinstance(logger, logging.Logger)]
    handlers = [*root.handlers]
    try:
        yield
    finally:
        root.handlers[:] = handlers
        for logger, level in levels:
            logger.setLevel(level)


def price(
    text: str | bytes, *options: str | Path, catalogue: str | Path = VILLAGE, columns: int = 100
) -> Result:
    """Price the basket *text* from standard input."""
    return run("price", "-", "--catalogue", catalogue, *options, text=text, columns=columns)


def told(result: Result) -> tuple[list[str], str]:
    """Return the errors and the conclusion of a failed call, from lines or from JSON."""
    if result.stderr.startswith("{"):
        error = json.loads(result.stderr)["error"]
        return error["faults"], error["outcome"]
    *faults, advice = result.stderr.splitlines()
    outcome, _, what_to_do = advice.partition(": ")
    them = "the fault" if len(faults) == 1 else f"the {len(faults)} faults"
    assert what_to_do == f"correct {them} above and try again"
    return faults, outcome


def ask(product: str, *options: str, columns: int = 80) -> Result:
    """Ask for validities of *product* in the catalogue of the slopes at ``AT``."""
    return run("validities", product, "--catalogue", SLOPES, "--at", AT, *options, columns=columns)


def december(first: int, last: int) -> tuple[str, ...]:
    """Return the options for a window in December 2026; days below 1 are in November."""
    days = [date(2026, 12, 1) + timedelta(days=day - 1) for day in (first, last)]
    return "--from", days[0].isoformat(), "--to", days[1].isoformat()


def program(
    *arguments: str | Path, text: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the installed program without a terminal."""
    inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(
        [sys.executable, "-m", "faregate_cli", *map(str, arguments)],
        input=text,
        capture_output=True,
        env={**inherited, **_PLAIN, **environment},
        check=False,
    )


def basket(channel: str = GROSS) -> str:
    """Return the example basket, sold on *channel*."""
    return BASKET.read_text(encoding="utf-8").replace(GROSS, channel)


def bill(channel: str, folder: Path) -> PricedBasket:
    """Return the example basket, priced without the command line."""
    file = folder / "basket.json"
    file.write_text(basket(channel), encoding="utf-8")
    return price_basket(str(file), read_catalogue(VILLAGE))
