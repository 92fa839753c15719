"""The entry point of ``faregate`` and ``python -m faregate_cli``."""

import codecs
import gc
import json
import os
import sys
import zoneinfo

# The extra that installs each package.
_EXTRAS = {
    **dict.fromkeys(("narwhals", "numpy", "pyarrow"), "frames"),
    **dict.fromkeys(("click", "rich", "tzdata", "yaml"), "cli"),
    **dict.fromkeys(
        ("alembic", "joserfc", "jsonschema", "msgspec", "pydantic", "sqlalchemy", "starlette", "uvicorn"),
        "http",
    ),
}


def main() -> None:
    """Run the command in ``sys.argv``, and exit the process with its status.

    Status 0: success. 1: the data is faulty, or the output cannot be written. 2: usage error.
    """
    _never_fail_to_encode()
    # Importing creates many objects and hardly any garbage, so it is collected rarely.
    gc.set_threshold(100_000)
    # Pydantic would search all installed packages for plug-ins; set the variable to 0 to use some.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    try:
        status = _status()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        status = _without_output(1)
    except OSError as error:
        advice = f"{error.strerror}; make room, or write elsewhere"
        status = _without_output(_error("the output cannot be written", advice))
    sys.exit(status)


def _error(outcome: str, detail: str) -> str:
    """Return an error message, as JSON if the command line has ``--json``."""
    if "--json" not in sys.argv:
        return f"{outcome}: {detail}"
    return json.dumps({"error": {"outcome": outcome, "faults": [detail]}}, indent=2)


def _without_output(status: int | str) -> int | str:
    """Return *status* after discarding buffered output, which Python would otherwise write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


_NEAREST = str.maketrans("·–—−×…’“”«»≥≤█─∞", '----x.\'""""><#-*')
"""Replacements for characters that an encoding lacks; all others become question marks."""


def _never_fail_to_encode() -> None:
    """Make the output streams replace each character that they cannot encode with a similar one."""
    codecs.register_error("faregate.nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="faregate.nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_NEAREST)
    return "".join(sign if sign.isascii() else "?" for sign in lacking), error.end


def _status() -> int | str | None:
    try:
        import tzdata

        from faregate_cli.app import app

        # The version of tzdata is pinned; the machine's time zones may be years old.
        zoneinfo.reset_tzpath(to=[f"{tzdata.__path__[0]}/zoneinfo"])
        app(prog_name="faregate")
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        return _error(f"this command needs {package}", f"install faregate[{_EXTRAS[package]}]")
    except SystemExit as done:
        return done.code
    return 0


if __name__ == "__main__":
    main()
