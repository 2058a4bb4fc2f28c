"""A value that cannot stand, said with a key of the text catalogue so that both languages can tell it."""

from __future__ import annotations

from crewlab.engine.texts import Texts


class Wrong(ValueError):
    """What is wrong with a value: ``key`` is a text of the area ``home``, ``values`` fill its fields.

    Raised by parsers and pydantic validators alike; ``str()`` is the English sentence.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def say(self, texts: Texts) -> str:
        """The sentence in the language of ``texts``."""
        return texts(f"home.{self.key}", **self.values)

    def __str__(self) -> str:
        return self.say(Texts("en"))
