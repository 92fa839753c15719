"""The Python blocks of one page, run as one session."""

import contextlib
import doctest
import io
import sys
import traceback
from types import ModuleType
from typing import NamedTuple

# As in console blocks, ``...`` matches anything.
_OPTIONS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


class Block(NamedTuple):
    """A code block; *name* is the file name in its first line, if any. Lines count from 1."""

    line: int
    language: str
    name: str | None
    text: str


class PythonSession:
    """The namespace that the blocks of a page share, as a module that can be imported by name."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._module = ModuleType("documentation_page")

    def faults(self, block: Block) -> str:
        """Return the difference to the displayed output, or the traceback of a script; empty on success."""
        sys.modules[self._module.__name__] = self._module
        try:
            return self._compared(block) if ">>>" in block.text else self._executed(block)
        finally:
            del sys.modules[self._module.__name__]

    def _compared(self, block: Block) -> str:
        names = vars(self._module)
        examples = doctest.DocTestParser().get_doctest(block.text, names, self._page, self._page, block.line)
        examples.globs = names  # the parser made a copy
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
        except Exception:  # any exception is an error of the page
            return traceback.format_exc()
        return ""
