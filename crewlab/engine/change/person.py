"""The three lines about the person, as Settings change them (PTL-152)."""

from __future__ import annotations

from collections.abc import Mapping

from crewlab.engine.change.rebuild import Draft, Rebuilding, as_invalid
from crewlab.engine.change.saving import save_file
from crewlab.engine.errors import Invalid, StartupStop
from crewlab.engine.home.problems import mistakes
from crewlab.engine.home.settings import settings_of
from crewlab.engine.home.settings_models import Person
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamledit import changed_yaml
from crewlab.engine.home.yamlfile import parse_yaml


class PersonLines:
    """Reads and writes the key ``person`` of ``config.yaml``."""

    def __init__(self, rebuilding: Rebuilding) -> None:
        self._rebuilding = rebuilding

    def read(self) -> Person:
        """The lines in force."""
        return self._rebuilding.settings.person

    async def save(self, lines: Mapping[str, str | None]) -> Person:
        """Put these lines in the place of the old ones; ``None`` and a blank line clear. They hold from the next turn.

        Raises ``Invalid`` with a sentence for each line that cannot stand, ``Conflict`` (``file_changed``), ``Unavailable``.
        """
        rebuilding, texts = self._rebuilding, self._rebuilding.texts
        wrong = mistakes(Person, lines, texts)
        if wrong:
            field, sentence = next(iter(wrong.items()))
            raise Invalid(sentence, field=field, fields=wrong)
        person = Person.model_validate(lines)
        kept = {name: line for name, line in person.model_dump().items() if line}
        async with rebuilding.turn:
            file, before = rebuilding.home.config_file, rebuilding.settings.text
            try:
                text = changed_yaml(file, before, {"person": kept or None}, texts)
                settings = settings_of(parse_yaml(file, text, texts), rebuilding.home, rebuilding.environ, texts)
            except StartupStop as stop:
                raise as_invalid(stop) from stop
            except Wrong as error:
                raise Invalid(error.say(texts), field=str(error.values["key"])) from error
            await rebuilding.rebuild(Draft(settings=settings), lambda: save_file(file, before, text, texts))
        return self.read()
