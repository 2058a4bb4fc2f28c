"""Commands of kits: a Markdown file becomes a slash command, and its text the message (KIT-9 to KIT-13). Pure but for reading files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crewlab.engine.agents.kits.folders import KitFile, left_out, read
from crewlab.engine.home.heads import loose_head, one_line
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.texts import Texts

OWN_COMMANDS = frozenset(  # KIT-13, CHN-10: nobody can redefine these
    """
    steer start help status new stop approve deny answer skip plan vibe team jobs cost
    """.split()  # noqa: SIM905
)
NAME = re.compile(r"[^\W_][\w.-]*(?::[\w.-]+)*")
NAME_CHARS = 100
DESCRIPTION_CHARS = 300
HINT_CHARS = 100
_CALL = re.compile(r"/(\S+)\s*", re.ASCII)
_WORD = re.compile(r'"([^"]*)"|\'([^\']*)\'|(\S+)')
_PLACE = re.compile(r"\$(?:(ARGUMENTS)(?!\w)|([1-9])(?!\d))")


@dataclass(frozen=True, slots=True)
class Command:
    """One slash command; ``hint`` says what may stand behind it."""

    name: str
    description: str
    hint: str
    body: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A message that calls a command: its name, and what stands behind it."""

    name: str
    rest: str


def read_command(file: KitFile, texts: Texts, files: TextFiles) -> Command | str:
    """The command of a file, or the sentence why there is none."""
    if len(file.name) > NAME_CHARS or NAME.fullmatch(file.name) is None:
        return left_out(file.path, "command_name", texts, name=repr(file.name))
    if file.name.lower() in OWN_COMMANDS:
        return left_out(file.path, "own_command", texts, name=file.name)
    text = read(file, texts, files)
    if isinstance(text, str):
        return text
    head, body = loose_head(text.text)
    if head is None:
        return left_out(file.path, "broken_head", texts)
    if not body.strip():
        return left_out(file.path, "empty", texts)
    hint = head.get("argument-hint")
    if isinstance(hint, list):  # `[file] [line]` without quotes is a list to YAML
        hint = " ".join(f"[{item}]" for item in hint)
    description = one_line(head.get("description"), DESCRIPTION_CHARS) or _first_words(body)
    return Command(file.name, description, one_line(hint, HINT_CHARS), body.strip())


def _first_words(body: str) -> str:
    """What the programs of the kits show of a command that does not describe itself: its first line, without the marks of a heading."""
    return one_line(body.strip().partition("\n")[0].lstrip("# "), DESCRIPTION_CHARS)


def typed(text: str) -> Typed | None:
    """What a message calls, should there be such a command; ``None`` when it begins otherwise."""
    stripped = text.strip()
    found = _CALL.match(stripped)
    return None if found is None else Typed(found[1], stripped[found.end() :])


def expand(body: str, rest: str, limit: int) -> str | None:
    """The body with its places filled, or ``None`` when that is longer than ``limit`` (TURN-18).

    Nothing is run or read (KIT-11), and what a person typed is never looked through for places. Where the body has no place
    the words stand below it: what was typed is not lost.
    """
    words = [next(group for group in match.groups() if group is not None) for match in _WORD.finditer(rest)]
    places = _PLACE.findall(body)
    needed = len(body) + sum(len(rest) if whole else len(_nth(words, number)) for whole, number in places)
    if needed > limit:
        return None
    if rest and not places:
        text = f"{body}\n\n{rest}"
        return text if len(text) <= limit else None
    return _PLACE.sub(lambda match: rest if match[1] else _nth(words, match[2]), body)


def _nth(words: list[str], number: str) -> str:
    return words[int(number) - 1] if int(number) <= len(words) else ""
