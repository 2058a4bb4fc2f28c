"""``crewlab doctor``: what is set up, what is missing, and the command that mends each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from crewlab.commands.doctor_facts import EXTENSION, Facts, Probes, gather, real_probes
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts

Level = Literal["good", "note", "bad"]
ENABLE_EXTENSION = ("jupyter", "server", "extension", "enable", EXTENSION)
SIGNS: dict[Level, str] = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; ``mend`` is what to do, empty when nothing is."""

    level: Level
    text: str
    mend: str = ""


def doctor(home: Home, environ: Mapping[str, str], texts: Texts, probes: Probes | None = None) -> int:
    """Write the report; 1 when something keeps the crew from answering, else 0."""
    findings = examine(gather(home, environ, texts, probes or real_probes()), texts)
    for finding in findings:
        print(f"{SIGNS[finding.level]} {finding.text}")
        if finding.mend:
            print(f"    → {finding.mend}")
    return int(any(finding.level == "bad" for finding in findings))


def examine(facts: Facts, texts: Texts) -> list[Finding]:
    """Judge the facts. Pure: the same facts give the same report."""
    parts = (_program, _home, _configuration, _keys, _models, _sandbox, _crew)
    return [
        Finding(level, texts(f"cli.doctor_{key}", **values), texts(f"cli.mend_{mend}", **values) if mend else "")
        for part in parts
        for level, key, mend, values in part(facts)
    ]


_Line = tuple[Level, str, str, dict[str, object]]


def _program(facts: Facts) -> Iterator[_Line]:
    yield "good", "version", "", {"version": facts.version, "python": facts.python}
    if facts.extension:
        yield "good", "extension", "", {}
    else:
        yield "bad", "no_extension", "run", {"command": " ".join(ENABLE_EXTENSION)}
    if facts.front_end:
        yield "good", "front_end", "", {}
    else:
        yield "bad", "no_front_end", "front_end", {}


def _home(facts: Facts) -> Iterator[_Line]:
    values: dict[str, object] = {"home": facts.home}
    if facts.home_state == "unusable":
        yield "bad", "home_unusable", "home", values
    elif facts.home_state == "absent":
        yield "note", "home_absent", "run", {**values, "command": "crewlab serve"}
    else:
        yield "good", "home", "", values
    if facts.held:
        yield "note", "held", "held", values


def _configuration(facts: Facts) -> Iterator[_Line]:
    if facts.stop is not None:
        yield "bad", "stop", "stop", {"message": facts.stop}
        return
    yield "good", "config" if facts.config_written else "no_config", "", {}
    yield "good", "agents", "", {"count": len(facts.agents), "agents": ", ".join(facts.agents)}
    for warning in facts.warnings:
        yield "note", "warning", "", {"warning": warning}


def _keys(facts: Facts) -> Iterator[_Line]:
    file = f"{facts.home}/secrets/secrets.env"
    for name, present in facts.keys.items():
        if present:
            yield "good", "key", "", {"name": name}
        else:
            yield "note", "no_key", "key", {"name": name, "file": file}
    if facts.keys_problem:
        yield "bad", "keys_unreadable", "run", {"file": file, "error": facts.keys_problem, "command": f"chmod 600 '{file}'"}
    for line in facts.broken_key_lines:
        yield "note", "broken_key", "broken_key", {"line": line, "file": file}


def _models(facts: Facts) -> Iterator[_Line]:
    if facts.routes:
        yield "good", "routes", "", {"routes": ", ".join(facts.routes)}
    if facts.ollama:
        yield "good", "ollama", "", {"url": facts.ollama_url}
    else:
        yield "note", "no_ollama", "ollama", {"url": facts.ollama_url}
    if facts.local is not None:
        yield "good", "local", "local_better", {"name": facts.local}
    else:
        missing = "no_engine" if facts.local_missing == "engine" else "no_weights"
        yield "note", missing, "run", {"command": "crewlab local install"}
    for lacking in facts.lacking:
        yield "note", "lacking", "lacking", {"lacking": lacking}
    if facts.channel is not None:
        name, present = facts.channel
        yield ("good", "channel", "", {"name": name}) if present else ("note", "no_channel", "channel", {"name": name})
    if not can_answer(facts):
        yield "bad", "no_model", "model", {}


def _sandbox(facts: Facts) -> Iterator[_Line]:
    """A note: agents without a sandboxed shell do not need it (SHL-60)."""
    if facts.sandbox:
        yield "note", "no_sandbox", "sandbox", {"why": facts.sandbox}
    else:
        yield "good", "sandbox", "", {}


def _crew(facts: Facts) -> Iterator[_Line]:
    """What was written and will not do what it was written for; nothing of it keeps the crew from answering."""
    for trouble in facts.troubles:
        yield "note", trouble.key, trouble.mend, trouble.values


def can_answer(facts: Facts) -> bool:
    """Whether something is there that could answer a message (PRV-2, AGT-8)."""
    ready = {
        "openrouter": facts.keys.get("OPENROUTER_API_KEY", False),
        "anthropic": facts.keys.get("ANTHROPIC_API_KEY", False),
        "openai": facts.keys.get("OPENAI_API_KEY", False),
        "ollama": facts.ollama,
        "local": facts.local is not None,
        "fake": True,
    }
    if facts.routes:
        return any(ready.get(route.partition(":")[0], route.partition(":")[0] in facts.outside) for route in facts.routes)
    return any(ready[name] for name in ("openrouter", "anthropic", "openai", "ollama", "local"))
