"""Conversation, turn and approval for plain code (UI-144): thin faces of the asynchronous ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from crewlab.notebook import records
from crewlab.notebook.live import CellOutput, Live, in_notebook
from crewlab.notebook.portal import Portal, Pull
from crewlab.notebook.records import Event, Message, Record, Rows
from crewlab.notebook.talk import AsyncApproval, AsyncConversation, AsyncRun, AsyncTurn
from crewlab.notebook.words import say


class Approval(Record):
    """A request for a person (GATE-30). It is decided here only by calling one of its methods (UI-149)."""

    SHOWN = AsyncApproval.SHOWN

    def __init__(self, portal: Portal, approval: AsyncApproval) -> None:
        super().__init__(approval)
        self._portal, self._approval = portal, approval

    def approve(self, always: bool = False) -> Approval:
        """Allows this call; ``always`` also every later call of the tool in this conversation, where that is offered."""
        return self._decided(self._portal.run(self._approval.approve(always)))

    def deny(self) -> Approval:
        """Refuses this call; the turn goes on without it."""
        return self._decided(self._portal.run(self._approval.deny()))

    def answer(self, text: str = "", labels: Sequence[str] | None = None) -> Approval:
        """Answers a question: ``text`` in your own words, or the number or label of an option; ``labels`` chooses several (ASKU-9)."""
        return self._decided(self._portal.run(self._approval.answer(text, labels)))

    def skip(self) -> Approval:
        """Skips a question; the agent goes on with an assumption of its own (GATE-88)."""
        return self._decided(self._portal.run(self._approval.skip()))

    def _decided(self, approval: AsyncApproval) -> Approval:
        self._data.update(approval)
        return self


class Run(records.Run):
    """The record of a turn (TURN-82) that can also be exported."""

    def __init__(self, portal: Portal, run: AsyncRun) -> None:
        super().__init__(run)
        self._portal, self._run = portal, run

    def export(self, format: str = "json", full: bool = False) -> str:
        """The whole turn as the text of a file, ``json`` or ``md`` (TURN-100). Read it through before you pass it on.

        ``full`` leaves results of tools whole that are longer than 2,000 characters.
        """
        return self._portal.run(self._run.export(format, full))


class Conversation(Record):
    """One conversation. Fields are as last read; ``refresh`` reads them again."""

    SHOWN = AsyncConversation.SHOWN

    def __init__(self, portal: Portal, conversation: AsyncConversation) -> None:
        super().__init__(conversation)
        self._portal, self._conversation = portal, conversation

    def _again(self) -> None:
        self._data.update(self._conversation)

    def refresh(self) -> Conversation:
        """Reads the conversation again."""
        self._portal.run(self._conversation.refresh())
        self._again()
        return self

    @property
    def messages(self) -> Rows[Message]:
        """The messages as stored now."""
        found = self._portal.run(self._conversation.messages())
        self._again()
        return found

    @property
    def autonomous(self) -> bool:
        """Whether calls of this conversation run without asking. May be set."""
        return bool(self._data.get("autonomous"))

    @autonomous.setter
    def autonomous(self, on: bool) -> None:
        self._portal.run(self._conversation.set_autonomous(on))
        self._again()

    def ask(self, text: str, *, metadata: Mapping[str, Any] | None = None) -> Turn:
        """Sends ``text``, shows the answer as it grows, returns the turn when it has ended or waits for a person.

        ``metadata`` is what the output of the cell carries.
        """
        turn = Turn(self._portal, self, AsyncTurn(self._conversation))
        turn._follow(turn._turn.sent(text), shown=in_notebook(), metadata=metadata)
        return turn

    def send(self, text: str, wait: bool = True) -> Turn:
        """Sends ``text``. With ``wait`` returns when the turn has ended or waits for a person, else as soon as it is stored.

        An interrupt leaves the turn running in the server; ``stop()`` stops it (UI-146).
        """
        if not wait:
            return Turn(self._portal, self, self._portal.run(self._conversation.send(text, wait=False)))
        turn = Turn(self._portal, self, AsyncTurn(self._conversation))
        turn._follow(turn._turn.sent(text), shown=False)
        return turn

    def stream(self, text: str) -> Iterator[Event]:
        """Sends ``text`` and yields the events of its turn."""
        return iter(Pull(self._portal, self._conversation.stream(text)))

    def steer(self, text: str) -> Record:
        """Puts words into the running turn; without one they open a turn."""
        return self._portal.run(self._conversation.steer(text))

    def stop(self) -> Record:
        """Stops the running turn; ``cleared`` holds the texts that were waiting."""
        return self._portal.run(self._conversation.stop())

    def watch(self) -> Iterator[Event]:
        """The events of the running turn, from a ``watching`` event on."""
        return iter(Pull(self._portal, self._conversation.watch()))

    def fork(self, before: Message | int) -> Conversation:
        """A new conversation with everything before this message of yours (FRK-1); this one is not changed."""
        return Conversation(self._portal, self._portal.run(self._conversation.fork(before)))

    def export(self) -> str:
        """The whole conversation as Markdown (TURN-109)."""
        return self._portal.run(self._conversation.export())

    def delete(self) -> None:
        """Deletes the conversation with everything that hangs on it."""
        self._portal.run(self._conversation.delete())

    def turn(self) -> Turn:
        """The turn that runs now, or the last one: ``wait()`` follows it."""
        return Turn(self._portal, self, self._conversation.turn())


class Turn:
    """One turn of a conversation: what it has come to so far."""

    def __init__(self, portal: Portal, conversation: Conversation, turn: AsyncTurn) -> None:
        self.conversation = conversation
        self._portal, self._turn = portal, turn

    def __repr__(self) -> str:
        return f"Turn(status={self.status!r}, conversation={self.conversation['id']!r}, text={self.text[:80]!r})"

    def _repr_markdown_(self) -> str:
        from crewlab.notebook.live import bundle

        return bundle(self._turn.progress, self._turn.language)["text/markdown"]

    @property
    def text(self) -> str:
        """The answer so far."""
        return self._turn.text

    @property
    def status(self) -> str:
        """``running``, ``waiting`` (for a person), ``queued``, ``done``, ``halted``, ``stopped`` or ``error``."""
        return self._turn.status

    @property
    def approval(self) -> Approval | None:
        """The request the turn waits for."""
        approval = self._turn.approval
        return Approval(self._portal, approval) if approval is not None else None

    @property
    def run(self) -> Run | None:
        """The record of the turn with its steps; None when it has not begun."""
        run = self._portal.run(self._turn.run())
        return Run(self._portal, run) if run is not None else None

    @property
    def cost_usd(self) -> float | None:
        """What the turn has cost, None when the price of a call is unknown."""
        return self._portal.run(self._turn.cost_usd())

    def wait(self, show: bool = False) -> Turn:
        """Follows the turn until it has ended or waits for a person again; ``show`` draws it in the cell's output."""
        self._follow(self._turn.followed(), shown=show and in_notebook())
        return self

    def _follow(self, events: AsyncIterator[Event], shown: bool, metadata: Mapping[str, Any] | None = None) -> None:
        language = self._portal.run(self._turn.read_language())
        live = Live(CellOutput(metadata), language) if shown else None
        pull = Pull(self._portal, events)
        try:
            _drain(pull, self._turn, live)
        except KeyboardInterrupt:
            how = say("interrupted", language, id=self.conversation["id"])
            if live is not None:
                live.note(how)
            raise KeyboardInterrupt(how) from None
        finally:
            pull.close()


def _drain(pull: Pull[Event], turn: AsyncTurn, live: Live | None) -> None:
    """Reads the events to their end; ``live`` is drawn between them."""
    while True:
        try:
            pull.get(live.wait() if live is not None else None)
        except StopAsyncIteration:
            break
        except TimeoutError:
            if live is None:
                raise
            live.flush()
            continue
        if live is not None:
            live.show(turn.progress)
    if live is not None:
        live.show(turn.progress)
        live.flush()
