"""Parsing of YAML into plain values with line numbers, following the core schema of YAML 1.2.

The values are built from the parser's events instead of its constructor, so that numbers stay exact, keys are
always text, and the conversions of YAML 1.1 do not apply: ``no`` is not a boolean, ``12:30`` is not a number
of minutes, ``010`` is not 8, and ``2026-12-27`` is not a date object.
"""

import re
from decimal import Decimal

from faregate.errors import Issue
from faregate.files.text.issues import FileIssue, InvalidFile, shown
from faregate.files.text.nodes import MAX_LEVELS, MAX_VALUES, LinedDict, LinedList, exact_number

try:
    import yaml
except ModuleNotFoundError as missing:  # pragma: no cover - the tests have it
    raise ModuleNotFoundError(
        "reading YAML needs PyYAML: install faregate[catalogue]", name=missing.name
    ) from missing

from collections.abc import Iterator

from faregate.errors import Loc

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT_TAGS = {"!", "tag:yaml.org,2002:str"}

_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), Decimal("NaN")),
    **{f"{sign}{word}": Decimal("Infinity") for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{f"-{word}": Decimal("-Infinity") for word in (".inf", ".Inf", ".INF")},
}
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_OTHER_BASE = re.compile(r"0o[0-7]{1,60}|0x[0-9a-fA-F]{1,60}", re.ASCII)


def read_yaml(text: str) -> tuple[object, list[FileIssue]]:
    """Return the values in a YAML text and a list of issues; of duplicate keys, the first is kept.

    Raises:
        InvalidFile: the text is not YAML, has several documents, or exceeds the limits of depth and size.
    """
    found = _UNPRINTABLE.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise InvalidFile.of(f"the character {found[0]!r} is not allowed", line=line)
    reader = _Reader(text)
    try:
        return reader.document(), reader.issues
    except yaml.YAMLError as error:
        raise InvalidFile([*reader.issues, _syntax_issue(error)]) from None
    except _TooMuch as error:
        raise InvalidFile([*reader.issues, error.issue]) from None


def _syntax_issue(error: yaml.YAMLError) -> FileIssue:
    parts = [getattr(error, name, None) for name in ("context", "problem")]
    message = ", ".join(part for part in parts if part) or str(error)
    mark = getattr(error, "problem_mark", None)
    return FileIssue(Issue((), message), mark and mark.line + 1, mark and mark.column + 1)


class _TooMuch(Exception):
    def __init__(self, message: str, event: yaml.Event) -> None:
        super().__init__(message)
        self.issue = FileIssue(Issue((), message), _line(event))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


class _Reader:
    def __init__(self, text: str) -> None:
        self.issues: list[FileIssue] = []
        self._events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=_LOADER))
        self._anchors: dict[str, object] = {}
        self._values = 0

    def document(self) -> object:
        next(self._events)  # the stream starts
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            return None
        data = self._value(next(self._events), (), 1)
        next(self._events)  # the document ends
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise _TooMuch("expected one document, but a second one starts here", event)
        return data

    def _value(self, event: yaml.Event, loc: Loc, level: int) -> object:
        self._count(1, level, event)
        value: object = None
        match event:
            case yaml.AliasEvent():
                return self._alias(event, loc, level)
            case yaml.ScalarEvent():
                value = self._scalar(event, loc)
            case yaml.MappingStartEvent():
                value = self._mapping(event, loc, level)
            case yaml.SequenceStartEvent():
                value = self._sequence(event, loc, level)
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            self._anchors[event.anchor] = value
        return value

    def _count(self, values: int, level: int, event: yaml.Event) -> None:
        self._values += values
        if self._values > MAX_VALUES:
            raise _TooMuch(f"the file has more than {MAX_VALUES} values", event)
        if level > MAX_LEVELS + 1:
            raise _TooMuch(f"nested deeper than {MAX_LEVELS} levels", event)

    def _alias(self, event: yaml.AliasEvent, loc: Loc, level: int) -> object:
        name = str(event.anchor)
        if name not in self._anchors:
            self._note(f"there is no anchor {shown(name)} before this line", loc, event)
            return None
        value = self._anchors[name]
        if isinstance(value, LinedDict | LinedList):
            self._count(value.size, level + value.depth - 1, event)
        return value

    def _scalar(self, event: yaml.ScalarEvent, loc: Loc) -> object:
        if event.tag is not None and event.tag not in _TEXT_TAGS:
            self._note(f"the tag {shown(event.tag)} is not allowed", loc, event)
        if event.tag is not None or not event.implicit[0]:
            return event.value
        return _plain_scalar(event.value)

    def _mapping(self, start: yaml.MappingStartEvent, loc: Loc, level: int) -> LinedDict:
        self._refuse_tag(start, loc)
        mapping = LinedDict()
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, loc, level)
            value = self._value(next(self._events), (*loc, key), level + 1)
            if key in mapping:
                message = f"duplicate key, first on line {mapping.lines[key]}"
                self._note(message, (*loc, key), event)
                continue
            mapping[key] = value
            mapping.lines[key] = _line(event)
            _grow(mapping, value)
        return mapping

    def _key(self, event: yaml.Event, loc: Loc, level: int) -> str:
        if isinstance(event, yaml.ScalarEvent):
            if event.anchor is not None:
                self._anchors[event.anchor] = event.value
            return event.value
        self._value(event, loc, level + 1)
        self._note("expected text as a key, got a list, a mapping or an alias", loc, event)
        return ""

    def _sequence(self, start: yaml.SequenceStartEvent, loc: Loc, level: int) -> LinedList:
        self._refuse_tag(start, loc)
        sequence = LinedList()
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            value = self._value(event, (*loc, len(sequence)), level + 1)
            sequence.append(value)
            sequence.lines.append(_line(event))
            _grow(sequence, value)
        return sequence

    def _refuse_tag(self, event: yaml.CollectionStartEvent, loc: Loc) -> None:
        if event.tag is not None:
            self._note(f"the tag {shown(event.tag)} is not allowed", loc, event)

    def _note(self, message: str, loc: Loc, event: yaml.Event) -> None:
        self.issues.append(FileIssue(Issue(loc, message), _line(event)))


def _grow(container: LinedDict | LinedList, value: object) -> None:
    inner = value if isinstance(value, LinedDict | LinedList) else None
    container.size += inner.size if inner is not None else 1
    container.depth = max(container.depth, 1 + (inner.depth if inner is not None else 0))


def _plain_scalar(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    if _DECIMAL.fullmatch(text):
        return exact_number(text)
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    return text
