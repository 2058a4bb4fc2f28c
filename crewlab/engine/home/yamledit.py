"""Changing single keys of a person's YAML file; every other line stays as it was, letter by letter (AGT-35).

The file is not written out of its values: the lines of the named keys alone are replaced, so comments, order, quotes and
blank lines of all other keys cannot change. What comes out is read again and compared before anybody writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamlfile import parse_yaml
from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    import yaml

_ESCAPED = "\r\x85\u2028\u2029\ufeff"  # what YAML takes for the end of a line, or a reader for nothing
LINE_CHARS = 4096  # no value is folded: a cron line or a path stays on one line


def changed_yaml(path: Path, text: str | None, changes: Mapping[str, Any], texts: Texts) -> str:
    """``text`` with the top-level keys of ``changes`` set; ``None`` removes a key. A key that has the value already keeps its lines.

    Raises ``StartupStop`` when the file or what would come out cannot be read, ``Wrong`` (``uneditable``) when the file
    is written in a way in which one key cannot be changed alone.
    """
    old = parse_yaml(path, text, texts).values if text is not None else {}
    wanted = {key: value for key, value in changes.items() if value != old.get(key) or (value is not None) != (key in old)}
    if not wanted:
        return text or ""
    new = _Lines(text or "").with_changes(wanted)
    expected = {key: value for key, value in {**old, **wanted}.items() if value is not None or key not in wanted}
    if _read_back(path, new, texts) != expected:
        raise Wrong("uneditable", key=next(iter(wanted)))
    return new


def _read_back(path: Path, text: str, texts: Texts) -> dict[str, Any] | None:
    """What the new text says; ``None`` when it is no YAML any more, because another key used an anchor of the changed one."""
    try:
        return parse_yaml(path, text, texts).values
    except StartupStop as stop:
        if "key" in stop.fields:
            raise
        return None


def dumped(values: Mapping[str, Any]) -> str:
    """``values`` as YAML in their order: one key on each line, texts of several lines as blocks."""
    import yaml

    class Plain(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, False)

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = '"' if any(sign in _ESCAPED for sign in value) else "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Plain.add_representer(str, text)
    return yaml.dump(dict(values), Dumper=Plain, allow_unicode=True, sort_keys=False, width=LINE_CHARS, default_flow_style=False)


class _Lines:
    """The lines of a file whose root is a mapping in block style, and where each key stands."""

    def __init__(self, text: str) -> None:
        self._end = "\r\n" if "\r\n" in text else "\n"
        self._lines = text.splitlines(keepends=True) if text else []
        if self._lines and not self._lines[-1].endswith("\n"):
            self._lines[-1] += self._end
        self._pairs = self._found(text)

    def _found(self, text: str) -> list[tuple[str, int, yaml.Node]]:
        import yaml

        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is None or (isinstance(node, yaml.ScalarNode) and node.value == ""):
            return []
        if not isinstance(node, yaml.MappingNode):
            raise Wrong("uneditable", key="?")
        if node.flow_style:
            return self._opened(node)
        return [(str(key.value), key.start_mark.line, value) for key, value in node.value]

    def _opened(self, node: yaml.MappingNode) -> list[tuple[str, int, yaml.Node]]:
        """``{}`` gives way to lines; a longer mapping in braces is written by somebody who must change it himself."""
        if node.value or node.start_mark.line != node.end_mark.line:
            raise Wrong("uneditable", key=str(node.value[0][0].value) if node.value else "{")
        line = self._lines[node.start_mark.line]
        rest = line[: node.start_mark.column] + line[node.end_mark.column :].lstrip()
        self._lines[node.start_mark.line] = rest if rest.strip() else ""
        return []

    def with_changes(self, changes: Mapping[str, Any]) -> str:
        """The text with these keys set or removed; new keys follow the last one."""
        added = ""
        for key, value in changes.items():
            place = next((place for place, (name, _, _) in enumerate(self._pairs) if name == key), None)
            if place is not None:
                self._replace(place, "" if value is None else dumped({key: value}))
            elif value is not None:
                added += dumped({key: value})
        if added:
            self._lines.insert(self._last(), self._ended(added))
        return "".join(self._lines)

    def _replace(self, place: int, new: str) -> None:
        _, start, value = self._pairs[place]
        end = self._end_of(place)
        remark = self._remark(start, end, value)
        if remark and new.count("\n") == 1:
            new = new.rstrip("\n") + remark + "\n"
        self._lines[start:end] = [self._ended(new)] + [""] * (end - start - 1)  # the places of all other keys stay

    def _end_of(self, place: int) -> int:
        """The line after a key; comments and blank lines before the next key belong to that one."""
        start = self._pairs[place][1]
        end = self._pairs[place + 1][1] if place + 1 < len(self._pairs) else self._document_end(start)
        while end > start + 1 and (not self._lines[end - 1].strip() or self._lines[end - 1].startswith("#")):
            end -= 1
        return end

    def _document_end(self, start: int) -> int:
        after = range(start + 1, len(self._lines))
        return next((number for number in after if self._lines[number].startswith(("...", "---"))), len(self._lines))

    def _last(self) -> int:
        """Where new keys go: after the last key, else at the end of the document."""
        return self._end_of(len(self._pairs) - 1) if self._pairs else self._document_end(-1 if not self._has_start() else self._start())

    def _has_start(self) -> bool:
        return any(line.startswith("---") for line in self._lines)

    def _start(self) -> int:
        return next(number for number, line in enumerate(self._lines) if line.startswith("---"))

    def _remark(self, start: int, end: int, value: yaml.Node) -> str:
        """The comment beside a value of one line."""
        if end != start + 1 or value.end_mark.line != start:
            return ""
        rest = self._lines[start][value.end_mark.column :].rstrip()
        return rest if rest.lstrip().startswith("#") and rest[:1] in " \t" else ""

    def _ended(self, text: str) -> str:
        return text.replace("\n", self._end)
