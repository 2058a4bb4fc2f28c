"""What can go wrong on the way to a page, named by code; the words are in the catalogue (``net.<code>``)."""

from __future__ import annotations

from crewlab.engine.texts import Texts


class NetProblem(Exception):
    """No page. ``code`` names the text, ``values`` its fields; neither ever carries what a server wrote."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values

    def say(self, texts: Texts) -> str:
        """The sentence for the model."""
        return texts(f"net.{self.code}", **self.values)


class Refused(NetProblem):
    """The address may not be opened; nothing was sent and nothing can approve it (WEB-3, BRW-106)."""


class Failed(NetProblem):
    """The address may be opened, but no answer, or only half of one, came."""
