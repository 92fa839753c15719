"""The core only caches results of pure functions in bounded tables that are measured to pay."""

import ast
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CORE = Path(__file__).parents[3] / "src" / "faregate"

MEMOS = {
    ("dates/instants", "parse_instant"),
    ("dates/months", "_clamped"),
    ("dates/months", "_existing"),
    ("dates/months", "_forwarded"),
    ("dates/zones", "_local_date"),
    ("documents/objects", "form_of"),
    ("files/entries", "entry_of"),
    ("files/fields/types", "_rate"),
    ("subscriptions/boundaries", "_having"),
    ("validity/capacity", "_hours"),
}
"""Bounded caches of functions with immutable arguments, each with its benefit."""

TABLES = {
    ("batch/dates/months", "_cycle"),
    ("batch/dates/months", "_kinds"),
    ("dates/months", "_months"),
    ("files/fields/types", "_zones"),
    ("files/reading", "demo_catalogue"),
}
"""Constants that are slow to compute or need a file, and that most callers do not need."""

EMPTY = {"{}", "[]", "dict()", "list()", "set()", "OrderedDict()", "WeakKeyDictionary()"}


@cache
def trees() -> dict[str, ast.Module]:
    """Return the parsed modules of the core, cached because parsing takes a second."""
    return {
        path.relative_to(CORE).with_suffix("").as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(CORE.rglob("*.py"))
    }


def decorated_with(name: str) -> dict[tuple[str, str], ast.FunctionDef]:
    return {
        (module, node.name): node
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        if any(ast.unparse(each).partition("(")[0] == name for each in node.decorator_list)
    }


def test_only_listed_functions_remember_their_results() -> None:
    assert decorated_with("lru_cache").keys() == MEMOS
    assert decorated_with("cache").keys() == TABLES


def test_each_memo_is_bounded() -> None:
    for node in decorated_with("lru_cache").values():
        assert any("maxsize=" in ast.unparse(each) for each in node.decorator_list)


def test_a_table_has_no_arguments() -> None:
    for node in decorated_with("cache").values():
        assert ast.unparse(node.args) == ""


def test_no_module_holds_an_empty_collection_to_be_filled_later() -> None:
    for module, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                assert ast.unparse(node.value) not in EMPTY, f"{module}: {ast.unparse(node)}"
