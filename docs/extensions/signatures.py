"""Signatures as in the source: short type names and unevaluated defaults.

Sphinx would evaluate both, and print a default rule with all its fields and types with their modules.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, is_typeddict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx


_SHORT = 40


class _Written(str):
    """A text whose representation is the text itself."""

    __slots__ = ()

    __repr__ = str.__str__


def signature(
    _app: Sphinx | None,
    what: str,
    _name: str,
    thing: Any,
    _options: object,
    found: str | None,
    _returned: str,
) -> tuple[str, str] | None:
    """Return the arguments and the return annotation; nothing for objects that are not called."""
    if inspect.isclass(thing) and not _is_called(thing):
        return None if found is None else ("", "")
    if what not in {"class", "function", "method"}:
        return None
    parameters, returned = _parts(thing)
    if what == "method" and parameters and parameters[0].name in {"self", "cls"}:
        parameters = parameters[1:]
    return str(inspect.Signature(parameters)), "" if inspect.isclass(thing) else returned


def _is_called(kind: type) -> bool:
    """Return whether users instantiate the class: not an enumeration, protocol, typed dictionary or error."""
    is_described_only = getattr(kind, "_is_protocol", False) or is_typeddict(kind)
    return not (is_described_only or issubclass(kind, Enum | BaseException))


def _parts(thing: Any) -> tuple[list[inspect.Parameter], str]:
    signature = inspect.signature(thing)
    written = _defaults(thing)
    parameters = [_as_written(each, written.get(each.name)) for each in signature.parameters.values()]
    returned = signature.return_annotation
    return parameters, returned if isinstance(returned, str) else ""


def _as_written(parameter: inspect.Parameter, default: str | None) -> inspect.Parameter:
    annotation = getattr(parameter.annotation, "__forward_arg__", parameter.annotation)
    if isinstance(annotation, str):
        parameter = parameter.replace(annotation=_Written(annotation))
    if parameter.default is not parameter.empty and default is not None:
        parameter = parameter.replace(default=_Written(default))
    return parameter


def _defaults(thing: Any) -> dict[str, str]:
    """Return the source text of each default, including inherited ones."""
    if not inspect.isclass(thing):
        return _own_defaults(thing)
    return {name: text for base in reversed(thing.__mro__) for name, text in _own_defaults(base).items()}


def _own_defaults(thing: Any) -> dict[str, str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(thing)))).body[0]
    except (OSError, TypeError):
        return {}
    constants = _constants(thing.__module__)
    pairs = _of_class(tree) if isinstance(tree, ast.ClassDef) else _of_function(tree)
    return {name: constants.get(text, text) for name, text in pairs}


def _of_class(tree: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, _of_field(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            yield from _of_function(node)


def _of_field(value: ast.expr) -> str:
    """Return the default in a call of ``field``."""
    match value:
        case ast.Call(func=ast.Name(id="field"), keywords=keywords):
            given = {each.arg: ast.unparse(each.value) for each in keywords}
            return given.get("default") or f"{given.get('default_factory')}()"
        case _:
            return ast.unparse(value)


def _of_function(tree: Any) -> Iterator[tuple[str, str]]:
    arguments = tree.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return ((argument.arg, ast.unparse(default)) for argument, default in pairs if default)


@cache
def _constants(module: str) -> dict[str, str]:
    """Return the short values of a module's constants, which say more than the names."""
    assignments = (
        node
        for node in ast.parse(inspect.getsource(sys.modules[module])).body
        if isinstance(node, ast.Assign)
    )
    return {
        target.id: ast.unparse(node.value)
        for node in assignments
        for target in node.targets
        if isinstance(target, ast.Name) and len(ast.unparse(node.value)) < _SHORT
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler with Sphinx."""
    app.connect("autodoc-process-signature", signature)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
