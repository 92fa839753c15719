"""What a process remembers: bounded tables of pure functions that are measured to pay, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).parents[3] / "src" / "faregate"

MEMOS = {
    ("basket/lines", "_plain"),
    ("dates/instants", "parse_instant"),
    ("dates/months", "_clamped"),
    ("dates/months", "_existing"),
    ("dates/months", "_forwarded"),
    ("dates/zones", "_local_date"),
    ("subscriptions/boundaries", "_having"),
    ("validity/capacity", "_hours"),
}
"""Bounded, of immutable arguments; each says beside it what it saves. Anything else belongs to a value."""

TABLES = {
    ("batch/dates/months", "_cycle"),
    ("batch/dates/months", "_kinds"),
    ("dates/months", "_months"),
    ("files/checks/validation", "_zones"),
    ("files/reading", "demo_catalogue"),
}
"""Constants that take long to compute, or need a file, and that most callers do not need."""

EMPTY = {"{}", "[]", "dict()", "list()", "set()", "OrderedDict()", "WeakKeyDictionary()"}


def functions() -> Iterator[tuple[tuple[str, str], ast.FunctionDef]]:
    for path in sorted(CORE.rglob("*.py")):
        module = path.relative_to(CORE).with_suffix("").as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield (module, node.name), node


def decorated_with(name: str) -> dict[tuple[str, str], ast.FunctionDef]:
    return {
        place: node
        for place, node in functions()
        if any(ast.unparse(each).partition("(")[0] == name for each in node.decorator_list)
    }


def test_only_listed_functions_remember_their_results() -> None:
    assert decorated_with("lru_cache").keys() == MEMOS
    assert decorated_with("cache").keys() == TABLES


def test_each_memo_is_bounded() -> None:
    for node in decorated_with("lru_cache").values():
        assert any("maxsize=" in ast.unparse(each) for each in node.decorator_list)


def test_a_table_has_no_arguments() -> None:
    for place in TABLES:
        assert ast.unparse(decorated_with("cache")[place].args) == ""


def test_no_module_holds_an_empty_collection_to_be_filled_later() -> None:
    for path in sorted(CORE.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                assert ast.unparse(node.value) not in EMPTY, f"{path}: {ast.unparse(node)}"
