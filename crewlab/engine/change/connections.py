"""Saving keys and routes of a running crew (CHN-45 to CHN-49). No value is ever part of a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from crewlab.engine.change.checks import Checked, Checks
from crewlab.engine.change.known import KnownKey, known_keys
from crewlab.engine.change.rebuild import Draft, Rebuilding, as_invalid
from crewlab.engine.change.saving import save_file
from crewlab.engine.errors import Conflict, Invalid, StartupStop, Unavailable
from crewlab.engine.home.environment import variable
from crewlab.engine.home.keyfile import check_name, check_value, with_key
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.home.layout import PRIVATE_FILE
from crewlab.engine.home.problems import mistakes
from crewlab.engine.home.routes import Route
from crewlab.engine.home.settings import Settings, settings_of
from crewlab.engine.home.whole import write_whole
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamledit import changed_yaml
from crewlab.engine.home.yamlfile import parse_yaml

SAVED_ROUTES = ("routes", "vision_routes", "audio_routes", "embedding_routes")  # CHN-45


class ConnectionDesk:
    """Keys and routes; each change acts at once or is refused with what would break (CHN-47)."""

    def __init__(self, rebuilding: Rebuilding, keys: KeyRing) -> None:
        self._rebuilding = rebuilding
        self._keys = keys
        self._texts = rebuilding.texts
        self.checks = Checks(keys, rebuilding.texts)

    def known(self) -> list[KnownKey]:
        """Every variable that is shown (CHN-46)."""
        return known_keys(self._rebuilding.settings, self._rebuilding.roster, self._keys)

    async def save_key(self, name: str, value: str) -> None:
        """Save a key. Raises ``Invalid`` that names ``name`` or ``value``, ``Conflict`` (``would_break``)."""
        self._checked("name", check_name, name)
        await self._change(name, self._checked("value", self._address if self._is_url(name) else check_value, value))

    async def remove_key(self, name: str) -> None:
        """Remove a saved key. Raises ``Invalid``, ``Conflict`` (``would_break``; ``conflict`` when only the environment has it)."""
        self._checked("name", check_name, name)
        if not self._keys.saved(name):
            if self._keys.present(name):
                raise Conflict(self._texts("change.key_of_environment", name=name))
            return
        await self._change(name, None)

    async def check(self, name: str) -> Checked:
        """Try a key or an address out. Raises ``Invalid`` for a name that is none."""
        self._checked("name", check_name, name)
        block = self._rebuilding.roster.master.profile.telegram
        return await self.checks.check(name, token=block is not None and block.token_env == name)

    async def _change(self, name: str, value: str | None) -> None:
        file = self._rebuilding.home.secrets_file
        async with self._rebuilding.turn:
            try:
                text = file.read_text(encoding="utf-8") if file.exists() else ""
            except (OSError, UnicodeDecodeError) as error:
                raise Unavailable(self._texts("change.keys_unreadable", file=file)) from error
            new = with_key(text, name, value)
            await self._rebuilding.rebuild(
                Draft(keys=self._keys.with_text(new)), lambda: write_whole(file, new.encode(), mode=PRIVATE_FILE)
            )

    async def save_routes(self, lists: dict[str, Sequence[Any]]) -> None:
        """Set some of the four lists of ``config.yaml``.

        Raises ``Invalid`` that names the list, ``Conflict`` (``would_break``, ``file_changed``, ``conflict`` when a variable decides).
        """
        rebuilding, texts = self._rebuilding, self._texts
        if not lists:
            return
        async with rebuilding.turn:
            for key in lists:
                if variable(key) in rebuilding.environ:
                    raise Conflict(texts("change.variable_decides", key=key, variable=variable(key)), field=key)
            for key, sentence in mistakes(Settings, lists, texts).items():
                raise Invalid(sentence, field=key.partition("[")[0], fields={key: sentence})
            file, before = rebuilding.home.config_file, rebuilding.settings.text
            try:
                text = changed_yaml(file, before, {key: list(value) for key, value in lists.items()}, texts)
                settings = settings_of(parse_yaml(file, text, texts), rebuilding.home, rebuilding.environ, texts)
            except StartupStop as stop:
                raise as_invalid(stop) from stop
            except Wrong as error:
                raise Invalid(error.say(texts), field=str(error.values["key"])) from error
            self._judge(settings, lists)
            await rebuilding.rebuild(Draft(settings=settings), lambda: save_file(file, before, text, texts))

    def _judge(self, settings: Settings, lists: dict[str, Sequence[Any]]) -> None:
        """A provider nobody has is a mistake; a list of which no route could be asked would leave the crew without an answer."""
        models, texts = self._rebuilding.models, self._texts
        for key in lists:
            routes: tuple[Route, ...] = getattr(settings, key)
            for place, route in enumerate(routes, start=1):
                if not models.knows(route.provider):
                    raise Invalid(models.status(route).why, field=key, fields={f"{key}[{place}]": models.status(route).why})
            lacking = [models.status(route).why for route in routes if not models.ready(route)]
            if routes and len(lacking) == len(routes):
                raise Conflict(texts("change.no_route_left", key=key, why=" ".join(lacking)), code="would_break", breaks=lacking)

    def _is_url(self, name: str) -> bool:
        return any(row.name == name and row.kind == "url" for row in self.known())

    def _address(self, value: str) -> str:
        url = check_value(value)
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
        except ValueError:
            good = False
        if not good or any(sign.isspace() for sign in url):
            raise Wrong("must_http")
        return url

    def _checked(self, field: str, judge: Callable[[str], str], value: str) -> str:
        try:
            return judge(value)
        except Wrong as error:
            raise Invalid(self._texts("home.field_must", key=field, must=error.say(self._texts)), field=field) from error
