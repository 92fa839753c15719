"""Check that docstrings, messages and documentation are written in plain English.

    python tools/plain_english.py [PATH ...]

It reports openings and phrases that the style guide forbids (CONTRIBUTING.md), docstrings that only repeat a
name, and public functions and methods that need a docstring. Without a path it checks the whole repository.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "benchmarks", "tools", "examples", "docs", "notebooks")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
GENERATED = {"node_modules", "__pycache__", "build"}

OPENING = re.compile(
    r"(?:What|Which|Who|Whose|Whom|How|Whether|Where|Why|So many|So much|From when|Until when|Of which)\b"
)
ADVICE = {
    r"\b(?:is|are|was|were) no (?!longer\b|more than\b)": "write 'is not a' or 'has no'",
    r"\bthere (?:is|are) none\b": "name what is missing",
    r"\bso (?:many|much)\b(?! (?:that|as|for|more)\b)": "write the number or 'at most'",
    r"(?<!out )(?<!none )(?<!each )(?<!one )(?<!some )(?<!all )(?<!most )(?<!both )\bof which\b": "split it",
    r"\bwhoever\b": "name the person",
    r"\bany more\b(?! (?:than|of)\b)": "write 'no longer'",
    r"\bby what\b|\b(?:of|for) whom\b": "repeat the noun",
}
PHRASES = {re.compile(phrase, re.IGNORECASE): advice for phrase, advice in ADVICE.items()}
_STOP_WORDS = "a an and as at by for from in is it its of on one or s that the this to value with"
STOP_WORDS = frozenset(_STOP_WORDS.split(" "))


class Finding(NamedTuple):
    """A sentence that breaks a rule of the style guide, and where it stands."""

    path: Path
    line: int
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.advice}: {self.text}"


class Text(NamedTuple):
    """Prose in a file; `name` is that of the function or class it describes."""

    line: int
    text: str
    name: str | None = None


def findings(paths: Iterable[Path]) -> Iterator[Finding]:
    """Yield all findings in Python and Markdown files."""
    for path in paths:
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            for prose in _paragraphs(source):
                yield from _phrase_findings(path, prose)
            continue
        tree = ast.parse(source)
        yield from _docstring_findings(path, tree)
        yield from _message_findings(path, tree)
        if "src" in _inside(path):
            for method in _undocumented(tree):
                yield Finding(path, method.lineno, method.name, "add a docstring")


def _docstring_findings(path: Path, tree: ast.Module) -> Iterator[Finding]:
    for docstring in _docstrings(tree):
        summary = docstring.text.strip().split("\n", 1)[0]
        if OPENING.match(summary):
            yield Finding(path, docstring.line, summary, "open with a noun phrase or a verb")
        if docstring.name is not None and _is_filler(summary, docstring.name):
            yield Finding(path, docstring.line, summary, "say more than the name, or nothing")
        yield from _phrase_findings(path, Text(docstring.line, _without_code(docstring.text)))


def _message_findings(path: Path, tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in ast.walk(node.exc):
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield from _phrase_findings(path, Text(argument.lineno, argument.value))


def _phrase_findings(path: Path, prose: Text) -> Iterator[Finding]:
    flat = " ".join(prose.text.split())
    for phrase, advice in PHRASES.items():
        for match in phrase.finditer(flat):
            excerpt = flat[max(match.start() - 30, 0) : match.end() + 30]
            yield Finding(path, prose.line, excerpt, advice)


def _docstrings(tree: ast.Module) -> Iterator[Text]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            text = ast.get_docstring(node)
            if text:
                yield Text(getattr(node, "lineno", 1), text, getattr(node, "name", None))
        if isinstance(node, ast.Module | ast.ClassDef):
            for field, after in zip(node.body, node.body[1:], strict=False):
                if isinstance(field, ast.Assign | ast.AnnAssign) and _is_text(after):
                    yield Text(after.lineno, after.value.value)  # type: ignore[attr-defined]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def _is_filler(summary: str, name: str) -> bool:
    words = _words(summary)
    return bool(words) and words <= _words(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name))


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP_WORDS}


def _without_code(text: str) -> str:
    """Return a docstring without its examples and quoted names."""
    lines = [line for line in text.split("\n") if not line.lstrip().startswith((">>>", "..."))]
    return re.sub(r"``[^`]*``|`[^`]*`", "x", "\n".join(lines))


def _undocumented(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield public methods without a docstring, except those that may override and one-line converters."""
    for parent in ast.walk(tree):
        if not isinstance(parent, ast.ClassDef) or parent.name.startswith("_"):
            continue
        if {ast.unparse(base) for base in parent.bases} - {"NamedTuple", "Enum"}:
            continue
        for node in parent.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                is_short = len(node.body) == 1 and isinstance(node.body[0], ast.Return)
                if not is_short and not ast.get_docstring(node):
                    yield node


def _paragraphs(source: str) -> Iterator[Text]:
    """Yield the paragraphs of a Markdown page without blocks and spans of code."""
    blank_code = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), source, flags=re.DOTALL)
    line = 1
    for paragraph in blank_code.split("\n\n"):
        yield Text(line, re.sub(r"`[^`]*`", "x", paragraph))
        line += paragraph.count("\n") + 2


def pages_and_modules(roots: Iterable[Path]) -> Iterator[Path]:
    """Yield the Python and Markdown files among *roots* and in the folders among them.

    Raises:
        FileNotFoundError: one of them does not exist.
    """
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.suffix in {".py", ".md"} and not path.is_dir() and not GENERATED & {*_inside(path)}:
                path.stat()
                yield path


def _inside(path: Path) -> tuple[str, ...]:
    """Return the parts of *path* below the repository: a clone may itself be in a folder `src` or `build`."""
    whole = path.resolve()
    return whole.relative_to(ROOT).parts if whole.is_relative_to(ROOT) else path.parts


def main(arguments: list[str]) -> int:
    """Print the findings in the files and folders named; return 1 if there are any."""
    roots = [Path(argument) for argument in arguments] or [ROOT / name for name in (*FOLDERS, *PAGES)]
    found = list(findings(pages_and_modules(roots)))
    print(*found, sep="\n")
    print(f"{len(found)} findings", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
