"""The Python of one page: one session, in the order of the page."""

from __future__ import annotations

import contextlib
import doctest
import io
import sys
import traceback
from types import ModuleType
from typing import NamedTuple

# As in a console block, ``...`` stands for anything.
_OPTIONS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


class Block(NamedTuple):
    """A block of code; *name* is the file it is, where its first line names one. Lines count from 1."""

    line: int
    language: str
    name: str | None
    text: str


class PythonSession:
    """The names that the blocks of a page share, in a module that can be looked up by its name."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._module = ModuleType("documentation_page")

    def faults(self, block: Block) -> str:
        """What is not as shown, or the traceback of a script; empty where all is well."""
        sys.modules[self._module.__name__] = self._module
        try:
            return self._compared(block) if ">>>" in block.text else self._executed(block)
        finally:
            del sys.modules[self._module.__name__]

    def _compared(self, block: Block) -> str:
        names = vars(self._module)
        examples = doctest.DocTestParser().get_doctest(block.text, names, self._page, self._page, block.line)
        examples.globs = names  # the parser has made a copy
        report = io.StringIO()
        doctest.DocTestRunner(verbose=False, optionflags=_OPTIONS).run(
            examples, out=report.write, clear_globs=False
        )
        return report.getvalue()

    def _executed(self, block: Block) -> str:
        place = "\n" * block.line + block.text
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(place, self._page, "exec"), vars(self._module))  # what the page shows
        except Exception:  # whatever it raises is what is wrong with the page
            return traceback.format_exc()
        return ""
