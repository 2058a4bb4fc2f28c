"""What ``crewlab doctor`` knows: facts gathered by probes, nothing judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from crewlab.commands.doctor_crew import Read, Trouble, troubles
from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    from crewlab.engine.home.keys import KeyRing

MODEL_KEYS = ("OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY")  # PRV-2
OLLAMA_SECONDS = 1.0
EXTENSION = "crewlab"  # the name Jupyter knows the server extension by

HomeState = Literal["ready", "absent", "unusable"]


@dataclass(frozen=True, slots=True)
class Facts:
    """The state of one installation and one home. ``stop`` is the sentence that keeps the crew from
    starting, ``local`` the local route that answers, ``local_missing`` ``engine`` or ``model`` when none does."""

    version: str
    python: str
    home: str
    home_state: HomeState
    held: bool
    config_written: bool
    stop: str | None
    agents: tuple[str, ...]
    warnings: tuple[str, ...]
    keys: Mapping[str, bool]
    broken_key_lines: tuple[int, ...]
    keys_problem: str
    routes: tuple[str, ...]
    ollama_url: str
    ollama: bool
    local: str | None
    local_missing: str
    extension: bool
    front_end: bool
    sandbox: str = ""
    """Why commands cannot be put into a sandbox; empty when they can (SHL-66)."""
    lacking: tuple[str, ...] = ()
    """A sentence for each written route that could not be asked, with its place."""
    channel: tuple[str, bool] | None = None
    """The variable of the bot's token and whether it is set; ``None`` without a channel."""
    troubles: tuple[Trouble, ...] = ()
    """What else was written and will not do what it was written for."""
    outside: tuple[str, ...] = ()
    """Providers of other installed packages that routes name (AGT-39)."""


@dataclass(frozen=True, slots=True)
class Probes:
    """How facts outside the home are found; tests put their own here."""

    ollama: Callable[[str], bool]
    local: Callable[[Home], tuple[str | None, str]]
    extension: Callable[[], bool]
    front_end: Callable[[], bool]
    sandbox: Callable[[Texts], str] = lambda texts: ""
    fence: Callable[[], str] = lambda: ""


def gather(home: Home, environ: Mapping[str, str], texts: Texts, probes: Probes) -> Facts:
    """Look at everything once. Takes no lock and writes nothing (DB-14)."""
    import platform

    from crewlab._version import __version__
    from crewlab.engine.home.keys import KeyRing
    from crewlab.engine.home.lock import is_held
    from crewlab.engine.models.catalogue import ollama_url

    state = home_state(home)
    keys = KeyRing(home, environ)
    present = {name: keys.present(name) for name in MODEL_KEYS}
    url = ollama_url(keys)
    sandbox = probes.sandbox(texts)
    read = _configuration(home, environ, texts, keys, (sandbox, probes.fence()))
    local, missing = probes.local(home)
    return Facts(
        version=__version__,
        python=platform.python_version(),
        home=str(home.root),
        home_state=state,
        held=state == "ready" and is_held(home),
        config_written=home.config_file.exists(),
        stop=read.stop,
        agents=read.agents,
        warnings=read.warnings,
        keys=present,
        broken_key_lines=keys.broken_lines,
        keys_problem=keys.problem,
        routes=read.routes,
        ollama_url=url,
        ollama=probes.ollama(url),
        local=local,
        local_missing=missing,
        extension=probes.extension(),
        front_end=probes.front_end(),
        sandbox=sandbox,
        lacking=read.lacking,
        channel=read.channel,
        troubles=read.troubles,
        outside=read.outside,
    )


def home_state(home: Home) -> HomeState:
    """Whether the home is there and can be written."""
    import os

    if not home.root.exists():
        return "absent"
    usable = home.root.is_dir() and os.access(home.root, os.R_OK | os.W_OK | os.X_OK)
    return "ready" if usable else "unusable"


@dataclass(frozen=True, slots=True)
class _Read:
    stop: str | None
    agents: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    channel: tuple[str, bool] | None = None
    troubles: tuple[Trouble, ...] = ()
    outside: tuple[str, ...] = ()


def _configuration(home: Home, environ: Mapping[str, str], texts: Texts, keys: KeyRing, missing: tuple[str, str]) -> _Read:
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.change.judge import written_routes
    from crewlab.engine.home.settings import load_settings
    from crewlab.engine.models.service import Models
    from crewlab.engine.store.schema import look

    try:
        settings = load_settings(home, environ, texts)
        roster = load_roster(home, settings, texts)
    except StartupStop as stop:
        return _Read(stop.message)
    models = Models(settings, keys, home, texts)
    models.take_outside()
    states = [(place, models.status(route)) for place, route in written_routes(settings, roster)]
    block = roster.master.profile.telegram
    return _Read(
        look(home.db_file, Texts(settings.language)),
        tuple(agent.id for agent in roster.all()),
        tuple(roster.warnings),
        tuple(str(route) for route in settings.routes),
        tuple(dict.fromkeys(f"{place}: {state.why}" for place, state in states if not state.ready)),
        None if block is None else (block.token_env, keys.present(block.token_env)),
        troubles(Read(home, settings, roster, keys, texts, *missing)),
        tuple(dict.fromkeys(route.provider for route in settings.routes if models.is_outside(route.provider))),
    )


def real_probes() -> Probes:
    """The probes of this machine."""
    from crewlab.commands import doctor_probes
    from crewlab.commands.local import local_model

    return Probes(
        ollama=doctor_probes.ollama_answers,
        local=local_model,
        extension=doctor_probes.extension_enabled,
        front_end=doctor_probes.front_end_installed,
        sandbox=doctor_probes.sandbox_missing,
        fence=doctor_probes.fence_missing,
    )
