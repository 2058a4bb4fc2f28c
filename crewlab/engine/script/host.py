"""What the server does for one script: tools, batches, lookups, questions, the store. It counts everything itself (SCR-9, SCR-219)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crewlab.engine.script import asking, lookup
from crewlab.engine.script.batching import Batch
from crewlab.engine.script.book import Book, BookError
from crewlab.engine.script.callables import Callables
from crewlab.engine.script.calling import MAX_ARGUMENTS, Calling, Refused, size_of
from crewlab.engine.script.messages import Answer, Message
from crewlab.engine.texts import Texts
from crewlab.engine.tools.nested import Done, Nest, NotAsked

MAX_CALLS = 25  # SCR-103
MAX_QUESTIONS = 10  # SCR-172
MAX_LOOKUPS = 40  # SCR-107
MAX_BATCH = 10  # SCR-111
MAX_LOOKUP_CHARS = 1_000  # SCR-108
MAX_FOUND = 10  # SCR-108


class ScriptHost:
    """Implements ``Host`` of ``process`` on the nest of a turn or of a job."""

    def __init__(self, nest: Nest, book: Book, texts: Texts, monotonic: Callable[[], float]) -> None:
        self._nest = nest
        self._book = book
        self._texts = texts
        self._monotonic = monotonic
        self._callables = Callables(nest.registry, nest.gated, bool(nest.delegates))
        self._calling = Calling(nest, self._callables, texts, monotonic)
        self._calls = 0
        self._questions = 0
        self._lookups = 0
        nest.inside.received_chars = 0

    async def answer(self, message: Message) -> Answer:
        """The answer to one message of the child."""
        fields = message.fields
        line = fields.get("line", 0)
        try:
            match message.op:
                case "call":
                    return await self._call(line, fields["tool"], fields["args"])
                case "batch":
                    return await self._batch(fields["calls"])
                case "llm":
                    return await self._question(fields)
                case "lookup":
                    return self._lookup(fields["kind"], fields["text"], fields["limit"])
                case _:
                    return self._shelf(message.op, fields)
        except Refused as refused:
            return refused.at(line)

    async def _call(self, line: int, name: str, given: dict[str, Any]) -> Answer:
        """One single call, in the order of SCR-105."""
        if size_of(given) > MAX_ARGUMENTS:
            raise Refused("limit_args")
        if self._calls >= MAX_CALLS:
            raise Refused("limit_calls")
        self._calls += 1
        tool = self._calling.tool(name)
        if tool is None:
            return Answer(error=self._calling.unknown(name))
        call = self._calling.prepare(self._calls, tool, given)
        self._calling.judge(call)
        self._take(1)
        handed = await self._calling.run(call)
        return Answer(value=handed.text) if handed.ok else Answer(error=handed.text)

    async def _batch(self, given: list[Any]) -> Answer:
        """A batch, in the order of SCR-119."""
        problem = self._form(given)
        if problem is not None:
            return Answer(error=problem)
        if self._calls >= MAX_CALLS:
            raise Refused("limit_calls")
        if self._calls + len(given) > MAX_CALLS:
            return Answer(error=self._texts("script_words.batch_left", left=MAX_CALLS - self._calls, limit=MAX_CALLS))
        first = self._calls + 1
        self._calls += len(given)
        batch = Batch(self._calling, first, [(one["tool"], one.get("args", {})) for one in given])
        batch.judge()
        self._take(len(batch.calls))
        try:
            return Answer(value=await batch.run())
        finally:
            self._nest.give_back(sum(not call.started for call in batch.calls))  # SCR-133

    def _form(self, given: list[Any]) -> str | None:
        """What is wrong with the form of a batch (SCR-115)."""
        if not 1 <= len(given) <= MAX_BATCH:
            return self._texts("script_words.batch_form", limit=MAX_BATCH)
        for place, one in enumerate(given):
            fits = isinstance(one, dict) and {"tool", "args"}.issuperset(one) and isinstance(one.get("tool"), str)
            if not fits or not isinstance(one.get("args", {}), dict):
                return self._texts("script_words.batch_element", place=place)
            if size_of(one.get("args", {})) > MAX_ARGUMENTS:
                return self._texts("script_words.batch_args", place=place, limit=MAX_ARGUMENTS)
        return None

    def _take(self, count: int) -> None:
        if not self._nest.take(count):
            raise Refused("nested_calls", limit=self._nest.limit)

    def _lookup(self, kind: str, text: str, limit: int) -> Answer:
        """Names, search, describe: no tool runs, nothing else is counted (SCR-106)."""
        self._lookups += 1
        if self._lookups > MAX_LOOKUPS:
            return Answer(error=self._texts("script_words.lookups", limit=MAX_LOOKUPS))
        if len(text) > MAX_LOOKUP_CHARS:
            return Answer(error=self._texts("script_words.lookup_text", limit=MAX_LOOKUP_CHARS))
        if kind == "names":
            return Answer(value=lookup.names(self._callables))
        if kind == "search":
            return Answer(value=lookup.search(self._callables, text, max(1, min(limit, MAX_FOUND))))
        told = lookup.describe(self._callables, text, self._texts)
        return Answer(value=told) if told is not None else Answer(error=self._calling.unknown(text))

    async def _question(self, fields: dict[str, Any]) -> Answer:
        """``llm.classify`` and ``llm.summarise`` (SCR-171 to SCR-181)."""
        kind = fields["kind"]
        if not asking.check(kind, fields):
            return Answer(error=self._texts("script_calls.llm_form"))
        if self._questions >= MAX_QUESTIONS:
            raise Refused("limit_llm")
        if self._calls >= MAX_CALLS:
            raise Refused("limit_calls")
        if self._nest.asks and self._nest.is_spent():
            raise Refused("cost_cap")
        self._calls += 1
        self._questions += 1
        if not self._nest.asks:
            return Answer(error=self._texts("script_calls.llm_off"))
        self._take(1)
        return await self._ask(kind, fields)

    async def _ask(self, kind: str, fields: dict[str, Any]) -> Answer:
        """The script hears the label, the summary, or one fixed sentence; people read on the card what went wrong (SCR-176)."""
        started = self._monotonic()
        try:
            said, charge = await self._nest.ask(asking.system(kind, fields, self._texts), asking.framed(fields["text"], self._texts))
            answer, why = asking.read(kind, said, fields), self._texts("script_calls.llm_said", said=said)
        except NotAsked as error:
            answer, why, charge = None, self._texts("script_calls.llm_failed_why", why=error.message), error.charge
        except BaseException:  # cut: what was paid stands in the ledger with an unknown price, and the run does not count it
            why = self._texts("script_calls.cut")
            self._nest.ended(Done(f"llm.{kind}", asking.card(kind, fields), False, why, self._ms(started), metered=True))
            raise
        ok = answer is not None
        done = Done(f"llm.{kind}", asking.card(kind, fields), ok, answer if answer is not None else why, self._ms(started), (charge,), True)
        self._nest.ended(done)
        told = answer if answer is not None else self._texts(f"script_calls.{kind}_failed")
        self._calling.received(told)
        return Answer(value=told) if ok else Answer(error=told)

    def _ms(self, started: float) -> int:
        return round((self._monotonic() - started) * 1000)

    def _shelf(self, op: str, fields: dict[str, Any]) -> Answer:
        """``load`` and ``store`` (STO-1)."""
        key = fields["key"]
        try:
            if op == "load":
                return Answer(value=self._book.load(key))
            if fields.get("forget"):
                self._book.forget(key)
            else:
                self._book.store(key, fields.get("json", ""))
        except BookError as error:
            return Answer(error=str(error))
        return Answer()
