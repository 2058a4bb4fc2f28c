"""The provider ``local``: a small model on this machine that answers without a key (LOC)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import (
    CallDelta,
    ChatRequest,
    Completion,
    ProviderError,
    ProviderItem,
    ProviderNotice,
    TextDelta,
    Usage,
)
from crewlab.engine.models.failures import Server
from crewlab.engine.models.http import HttpPool, Post
from crewlab.engine.models.local_child import Child, ChildFailed
from crewlab.engine.models.local_files import ModelHome, find_model
from crewlab.engine.models.local_plan import Plan, plan_for
from crewlab.engine.models.local_prompt import CONTEXT_TOKENS
from crewlab.engine.models.local_read import ReplyReader, runs_away
from crewlab.engine.models.local_tools import Cues
from crewlab.engine.models.openai_chat import read_chat
from crewlab.engine.texts import Texts

IDLE_SECONDS = 600.0  # LOC-7
TOO_LONG_STATUS = 400
TOO_LONG_TRIES = 3
ERROR_CHARS = 300


class Local:
    """Serves ``local:<name>`` by one child process; one answer at a time."""

    name = "local"
    small = True

    def __init__(self, home: ModelHome, pool: HttpPool, texts: Texts, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._home = home
        self._pool = pool
        self._texts = texts
        self._idle_seconds = idle_seconds
        self._cues = Cues.load()
        self._lock = asyncio.Lock()
        self._child: Child | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._stopping: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def child(self) -> Child | None:
        """The running child, if any."""
        return self._child

    async def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]:
        """Answer; starts the child when there is none."""
        for carries, why in (("pictures", "local_no_pictures"), ("sounds", "no_sounds")):
            if any(getattr(message, carries) for message in request.messages):
                raise ProviderError(self._texts(f"models.{why}", route=route))
        path = find_model(self._home, route.model)
        if path is None:
            raise ProviderError(self._texts("models.local_missing", route=route))
        plan = plan_for(request, path, self._texts, self._cues)
        if plan.reply is not None:  # a tiny model shows a tool's result as it is (LOC-15)
            yield TextDelta(plan.reply)
            yield Completion(plan.reply)
            return
        async with self._lock:
            self._stop_clock()
            try:
                if self._child is None or not self._child.alive or self._child.model != path:
                    yield ProviderNotice(self._texts("models.local_starting"))
                    await self._start(path)
                async with aclosing(self._answer(plan, request)) as items:
                    async for item in items:
                        yield item
            finally:
                self._start_clock()

    async def _start(self, path: Path) -> None:
        await self._stop()
        self._check_open()
        try:
            child = await Child.start(path, context=CONTEXT_TOKENS)
        except ChildFailed as error:
            raise ProviderError(self._texts("models.local_no_start", detail=str(error)[:ERROR_CHARS]).strip()) from error
        self._child = child
        try:
            self._check_open()  # the server may have gone down while the model was read
        except ProviderError:
            await self._stop()
            raise

    def _check_open(self) -> None:
        if self._closed:
            raise ProviderError(self._texts("models.local_closed"))

    async def _answer(self, plan: Plan, request: ChatRequest) -> AsyncGenerator[ProviderItem, None]:
        """Ask the child; a prompt that turns out too long is asked again, shorter."""
        for attempt in range(1, TOO_LONG_TRIES + 1):
            try:
                async with aclosing(self._ask(plan, f"call_{len(request.messages)}")) as items:
                    async for item in items:
                        yield item
                return
            except ProviderError as error:
                if error.status != TOO_LONG_STATUS or attempt == TOO_LONG_TRIES:
                    raise
                plan = plan.shorter()

    async def _ask(self, plan: Plan, call_id: str) -> AsyncGenerator[ProviderItem, None]:
        child = self._child
        if child is None:
            raise ProviderError(self._texts("models.local_died"), transient=True)
        address = child.address
        headers = {"Authorization": f"Bearer {address.key}", "Connection": "close"}
        post = Post(f"{address.url}/v1/chat/completions", plan.body(), headers, address.key)
        server = Server(self.name, child.model.stem, address.url, None, address.key)
        reader = ReplyReader() if plan.schema is not None else None
        text = ""
        done: Completion | None = None
        try:
            async with aclosing(read_chat(self._pool, post, self._texts, server)) as items:
                async for item in items:
                    if isinstance(item, Completion):
                        done = item
                    if not isinstance(item, TextDelta):
                        continue
                    shown = reader.feed(item.text) if reader is not None else item.text
                    text += shown
                    if shown:
                        yield TextDelta(shown)
                    if runs_away(text):
                        break
        except ProviderError as error:
            raise await self._mourn(child, error) from error
        usage = done.usage if done is not None else Usage()
        call = reader.call(call_id) if reader is not None else None
        if call is not None:
            arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
            yield CallDelta(0, call.id, call.name, arguments)
        yield Completion(text, (call,) if call is not None else (), usage)

    async def _mourn(self, child: Child, error: ProviderError) -> ProviderError:
        """The error to tell: when the child is gone, that it is, and that nothing is lost (LOC-9)."""
        if error.status is None:
            try:
                async with asyncio.timeout(1):
                    await child.wait()
            except TimeoutError:
                return error
        if child.alive:
            return error
        await self._stop()
        return ProviderError(self._texts("models.local_died"), transient=not error.started, started=error.started)

    def _stop_clock(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _start_clock(self) -> None:
        self._stop_clock()
        if self._child is not None and not self._closed:
            self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)

    def _rest(self) -> None:
        child = self._child
        if child is not None and not self._lock.locked():
            self._child = None
            task = asyncio.get_running_loop().create_task(child.stop())
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    async def _stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.stop()

    async def close(self) -> None:
        """Stop the child; nothing is started any more."""
        self._closed = True
        self._stop_clock()
        await asyncio.gather(*self._stopping, return_exceptions=True)
        await self._stop()
