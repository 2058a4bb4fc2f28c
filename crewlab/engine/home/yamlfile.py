"""Reading one YAML file of a person: safe, no key twice, every key with its place (AGT-6, AGT-7).

PyYAML rather than ruamel.yaml: JupyterLab has it loaded already, its YAML 1.1 tells ``on`` from
``"on"`` (DSK-3), and its node tree knows line and column of every key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.secret_shapes import looks_secret
from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 1024 * 1024  # a larger file is no configuration but a mistake

Loc = tuple[str | int, ...]
_LANGUAGE_LINE = re.compile(r"^language:\s*[\"']?(en|vi)[\"']?\s*(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class YamlFile:
    """What the file says: plain values, and the line of each key or item by its path. ``text`` is ``None`` for a file that is not there."""

    path: Path
    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[Loc, int] = field(default_factory=dict)
    text: str | None = None

    def line(self, loc: Loc) -> int | None:
        """The line of the innermost known part of ``loc``, from 1."""
        for length in range(len(loc), 0, -1):
            if loc[:length] in self.lines:
                return self.lines[loc[:length]]
        return None


def read_yaml(path: Path, texts: Texts) -> YamlFile:
    """The mapping in ``path``. A file that is not there or empty is an empty mapping.

    Raises ``StartupStop`` with file, line and what to do.
    """
    return parse_yaml(path, read_text(path, texts), texts)


def parse_yaml(path: Path, text: str | None, texts: Texts) -> YamlFile:
    """What ``text`` says, which stands in ``path`` or is to stand there. Raises ``StartupStop`` as ``read_yaml``."""
    return YamlFile(path) if text is None else _parse(path, text, texts)


def language_line(path: Path) -> str | None:
    """The ``language:`` line of a file that may be broken elsewhere; ``None`` when there is none."""
    if not path.is_file():
        return None
    try:
        found = _LANGUAGE_LINE.findall(path.read_bytes()[:MAX_BYTES].decode("utf-8", errors="replace"))
    except OSError:
        return None
    return found[-1] if found else None


def read_text(path: Path, texts: Texts) -> str | None:
    """The text of a settings file, ``None`` when there is none. Raises ``StartupStop``."""
    if path.is_symlink() and not path.exists():  # a link into nothing is not "no settings"
        raise StartupStop(texts("home.file_link", file=path), file=str(path))
    if path.exists() and not path.is_file():
        raise StartupStop(texts("home.file_kind", file=path), file=str(path))
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StartupStop(texts("home.file_unreadable", file=path, error=error.strerror), file=str(path)) from error
    if len(data) > MAX_BYTES:
        raise StartupStop(texts("home.file_too_large", file=path), file=str(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StartupStop(texts("home.file_not_utf8", file=path, line=line), file=str(path), line=line) from error


def _parse(path: Path, text: str, texts: Texts) -> YamlFile:
    import yaml

    try:
        loader = _loader(text)
        try:
            node = loader.get_single_node()
            if node is None or (isinstance(node, yaml.ScalarNode) and node.value == ""):
                return YamlFile(path, text=text)
            lines = _examine(path, node, texts)
            values = loader.construct_document(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _broken(path, text, error, texts) from error
    return YamlFile(path, values, lines, text)


def _loader(text: str) -> yaml.SafeLoader:
    """A safe loader whose keys are always text as written: no key of ours is a number or a switch."""
    import yaml

    class TextKeys(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            self.flatten_mapping(node)
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    key.tag = "tag:yaml.org,2002:str"
            return super().construct_mapping(node, deep)

    return TextKeys(text)


def _examine(path: Path, root: yaml.Node, texts: Texts) -> dict[Loc, int]:
    """The lines of all keys and items; refuses a key given twice, a secret, and a file that is no mapping."""
    import yaml

    if not isinstance(root, yaml.MappingNode):
        raise StartupStop(texts("home.yaml_not_mapping", file=path), file=str(path))
    lines: dict[Loc, int] = {}
    seen: set[int] = set()
    waiting: list[tuple[Loc, yaml.Node]] = [((), root)]
    while waiting:
        loc, node = waiting.pop()
        if id(node) in seen:  # an alias: judged where it was written
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _refuse_twice(path, loc, node, texts)
        for part, line, child in _children(node):
            below = (*loc, part)
            lines[below] = line
            _refuse_secret(path, below, line, [str(part), *_scalar(child)], texts)
            waiting.append((below, child))
    return lines


def _children(node: yaml.Node) -> Iterator[tuple[str | int, int, yaml.Node]]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (key.value if isinstance(key, yaml.ScalarNode) else "?"), key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for place, item in enumerate(node.value):
            yield place, item.start_mark.line + 1, item


def _scalar(node: yaml.Node) -> list[str]:
    import yaml

    return [node.value] if isinstance(node, yaml.ScalarNode) else []


def _refuse_twice(path: Path, loc: Loc, node: yaml.MappingNode, texts: Texts) -> None:
    import yaml

    first: dict[str, int] = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        line = key.start_mark.line + 1
        if key.value in first:
            name = show_loc((*loc, key.value))
            message = texts("home.yaml_twice", file=path, line=line, key=name, first=first[key.value])
            raise StartupStop(message, file=str(path), key=name, line=line)
        first[key.value] = line


def _refuse_secret(path: Path, loc: Loc, line: int, written: list[str], texts: Texts) -> None:
    if any(looks_secret(value) for value in written):
        key = str(loc[0]) if loc and not looks_secret(str(loc[0])) else "?"
        raise StartupStop(texts("home.secret_in_file", file=path, line=line, key=key), file=str(path), key=key, line=line)


def _broken(path: Path, text: str, error: Exception, texts: Texts) -> StartupStop:
    """The sentence for a file that is no YAML. The line itself is not repeated: it may hold a secret."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else _place(text, getattr(error, "position", None))
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    advice = texts(f"home.advice_{_advice(problem, error)}")
    message = texts("home.yaml_broken", file=path, line=line, column=column, problem=problem, advice=advice)
    return StartupStop(message, file=str(path), line=line, column=column)


def _place(text: str, position: int | None) -> tuple[int, int]:
    before = text[: position or 0]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _advice(problem: str, error: Exception) -> str:
    if "'\\t'" in problem:
        return "tab"
    if isinstance(error, RecursionError):
        return "depth"
    context = getattr(error, "context", None) or ""
    if "alias" in context or "alias" in problem or "anchor" in context:
        return "star"
    if "mapping values are not allowed" in problem:
        return "colon"
    if "tag" in problem or "single document" in str(error):
        return "plain"
    return "quotes"


def show_loc(loc: Loc) -> str:
    """A path as people read it: ``schedules[1].cron`` (items counted from 1)."""
    shown = ""
    for part in loc:
        shown += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if shown else part
    return shown
