"""From what a person wants to change to the text of a profile, checked key by key (AGT-18, AGT-35, AGT-36)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crewlab.engine.agents.profiles import ReadProfile, read_profile
from crewlab.engine.change.rebuild import as_invalid
from crewlab.engine.errors import Invalid, StartupStop
from crewlab.engine.home.problems import mistakes
from crewlab.engine.home.profile import AgentProfile
from crewlab.engine.home.secret_shapes import looks_secret
from crewlab.engine.home.settings import Settings
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamledit import changed_yaml
from crewlab.engine.home.yamlfile import parse_yaml
from crewlab.engine.texts import Texts

ORDER = tuple(AgentProfile.model_fields)  # register B
EMPTY_REMOVES = frozenset({"browser_hosts"})  # AGT-13, BRW-15


def tidied(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes in the order of register B, unknown keys last."""
    kept = {key: None if key in EMPTY_REMOVES and value == [] else value for key, value in changes.items()}
    return dict(sorted(kept.items(), key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER)))


def check(changes: Mapping[str, Any], settings: Settings, texts: Texts) -> None:
    """Judge every value that is set. Raises ``Invalid`` with the first ``field`` and, by key, a sentence for each in ``fields``."""
    wrong = {key: texts("change.unknown_key", key=repr(key)) for key in changes if key not in ORDER}
    given = {key: value for key, value in changes.items() if key in ORDER and value is not None}
    for key, sentence in mistakes(AgentProfile, given, texts).items():
        wrong.setdefault(key, sentence)
    for key, value in given.items():
        if any(looks_secret(text) for text in _texts_in(value)):
            wrong.setdefault(key, texts("change.secret", key=key))
    missing = [name for name in given.get("mcp", ()) if name not in settings.mcp_servers] if "mcp" not in wrong else []
    if missing:  # AGT-17
        wrong["mcp"] = texts("change.no_server", names=", ".join(map(repr, missing)))
    if wrong:
        field = next(iter(wrong))
        raise Invalid(wrong[field], field=field.partition(".")[0].partition("[")[0], fields=wrong)


def unfrozen(changes: dict[str, Any], read: ReadProfile, held: tuple[str, ...], listable: tuple[str, ...]) -> dict[str, Any]:
    """Without a tool list that says what the agent holds anyway: no list stays no list (AGT-36)."""
    wanted = changes.get("tools")
    if read.profile.tools is None and isinstance(wanted, list) and set(wanted) in (set(held), set(listable)):
        return {key: value for key, value in changes.items() if key != "tools"}
    return changes


def drafted(path: Path, read: ReadProfile, changes: Mapping[str, Any], texts: Texts) -> tuple[str, ReadProfile]:
    """The new text of the file and the profile it says, read back as the next start will read it. Raises ``Invalid``."""
    try:
        text = changed_yaml(path, read.text, changes, texts)
        return text, read_profile(parse_yaml(path, text, texts), texts)
    except StartupStop as stop:
        raise as_invalid(stop) from stop
    except Wrong as error:
        raise Invalid(error.say(texts), field=str(error.values["key"])) from error


def _texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for pair in value.items() for part in pair for text in _texts_in(part)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts_in(item)]
    return []
