"""Run the Python of a page or notebook with only some packages importable: a separate program.

It reads from standard input, as JSON, the missing top-level modules and the blocks to run.
"""

import json
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import NoReturn

from support.documentation.sessions import Block, PythonSession


class _NotInstalled(MetaPathFinder):
    """An import hook that hides modules, as if they were not installed."""

    def __init__(self, modules: frozenset[str]) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in self._modules:
            self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        raise ModuleNotFoundError(f"No module named {name!r}: it belongs to none of the extras", name=name)


def main() -> None:
    asked = json.load(sys.stdin)
    sys.meta_path.insert(0, _NotInstalled(frozenset(asked["missing"])))
    for name, text in asked["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    session = PythonSession(asked["name"])
    for line, text in asked["blocks"]:
        fault = session.faults(Block(line, "python", None, text))
        if fault:
            sys.exit(f"{asked['name']}:{line}: {fault}")


if __name__ == "__main__":
    main()
