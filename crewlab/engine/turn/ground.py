"""What a crew stands on: everything that is read from its home, under the home's lock (DB-10, DB-12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from crewlab.engine.agents.roster import Roster, load_roster
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.home.language import language_of, language_of_environment
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.home.settings import Settings, load_settings
from crewlab.engine.home.zones import zone_of
from crewlab.engine.models.service import Models
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts


@dataclass(frozen=True, slots=True)
class Ground:
    """A home that is held: its settings, words, agents, keys, models and store."""

    home: Home
    environ: Mapping[str, str]
    lock: HomeLock
    settings: Settings
    texts: Texts
    roster: Roster
    keys: KeyRing
    models: Models
    store: Store
    zone: tzinfo


def hold(home: Home, environ: Mapping[str, str]) -> Ground:
    """Take the lock, then read everything. Raises ``StartupStop``; then the home is free again."""
    spoken = Texts(language_of_environment(environ) or "en")  # nothing of a held home may be read, its language neither
    lock = HomeLock(home, spoken)
    lock.acquire()
    try:
        home.ensure(spoken)
        settings = load_settings(home, environ, Texts(language_of(home, environ) or "en"))
        texts = Texts(settings.language)
        roster = load_roster(home, settings, texts)
        keys = KeyRing(home, environ)
        models = Models(settings, keys, home, texts)
        models.take_outside()
        store = Store(home.db_file, texts)
    except BaseException:
        lock.release()
        raise
    return Ground(home, environ, lock, settings, texts, roster, keys, models, store, zone_of(settings.timezone))
