"""Slash commands: answered without a model call (CHN-10)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.chat import Chat
from crewlab.engine.channels.telegram.notices import Notices
from crewlab.engine.errors import Conflict, CrewError
from crewlab.engine.home.timing_words import local_time
from crewlab.engine.records import Approval
from crewlab.engine.turn.stats import Usage

NEXT_JOBS = 3
LIST_JOBS = 20
LIST_COMMANDS = 50

Command = Callable[[str], Awaitable[str]]


class Commands:
    """Every command takes what stands behind it and gives the answer."""

    def __init__(self, reach: Reach, chat: Chat, notices: Notices) -> None:
        self._reach = reach
        self._chat = chat
        self._notices = notices
        self._texts = reach.parts.texts
        self._table: dict[str, Command] = {
            "start": self._help,
            "help": self._help,
            "status": self._status,
            "new": self._new,
            "stop": self._stop,
            "approve": lambda rest: self._decide(rest, approve=True),
            "deny": lambda rest: self._decide(rest, approve=False),
            "answer": self._answer,
            "skip": self._skip,
            "plan": lambda rest: self._switch("plan", rest),
            "vibe": lambda rest: self._switch("vibe", rest),
            "team": self._team,
            "jobs": self._jobs,
            "cost": self._cost,
        }

    async def answer(self, text: str) -> str | None:
        """The answer to a command; ``None`` for anything else, an unknown command too (QUE-7)."""
        head, _, rest = text.strip().partition(" ")
        name = head.removeprefix("/").partition("@")[0].lower() if head.startswith("/") else ""
        command = self._table.get(name)
        if command is None:
            return None
        try:
            return await command(rest.strip())
        except CrewError as error:
            return self._texts("telegram.refused", why=error.message)

    async def _help(self, _rest: str) -> str:
        parts = self._reach.parts
        names = sorted(parts.kits.commands(parts.roster.master)) if parts.kits is not None else []
        more = "\n\n" + self._texts("kits.help", names=", ".join(f"/{name}" for name in names[:LIST_COMMANDS])) if names else ""
        return self._texts("telegram.help") + more

    async def _new(self, _rest: str) -> str:
        self._chat.open_new()
        return self._texts("telegram.new")

    async def _stop(self, _rest: str) -> str:
        stopped = self._reach.host.stop(self._chat.conversation())
        if stopped.cleared:
            return self._texts("telegram.stopped_cleared", texts="\n".join(f"– {text}" for text in stopped.cleared))
        return self._texts("telegram.stopped" if stopped.cancelled else "telegram.nothing_to_stop")

    async def _decide(self, rest: str, *, approve: bool) -> str:
        waiting = [approval for approval in self._chat.pending() if approval.kind == "tool"]
        if not waiting:
            return self._texts("telegram.no_request")
        if rest.isascii() and rest.isdigit() and 1 <= int(rest) <= len(waiting):
            return await self.decide(waiting[int(rest) - 1], approve=approve)
        if len(waiting) > 1 or rest:
            named = [f"{number}. {one.tool} ({self._chat.agent_name(one.agent_id)})" for number, one in enumerate(waiting, 1)]
            lines = "\n".join(named)
            return self._texts("telegram.which_request", lines=lines)
        return await self.decide(waiting[0], approve=approve)

    async def decide(self, approval: Approval, *, approve: bool) -> str:
        """Decide one request; a late decision is told as such (FA-2)."""
        self._notices.decided_here.add(approval.id)
        try:
            closed = await self._reach.approvals.decide(approval.id, "approve" if approve else "deny")
        except Conflict as conflict:
            self._notices.decided_here.discard(approval.id)
            return self._texts("telegram.refused", why=conflict.message)
        return self._notices.decided_words(closed)

    def question(self) -> Approval | None:
        """The open question of the chat's conversation."""
        pending = self._reach.parts.store.approvals.pending_of(self._chat.conversation())
        if pending is not None and pending.kind == "question":
            return pending
        return next((approval for approval in self._chat.pending() if approval.kind == "question"), None)

    async def _answer(self, rest: str) -> str:
        question = self.question()
        if question is None:
            return self._texts("telegram.no_question")
        if not rest:
            return self._texts("telegram.answer_empty")
        return await self.reply(question, rest)

    async def reply(self, question: Approval, text: str) -> str:
        """Answer a question with the person's words (CHN-12)."""
        self._notices.decided_here.add(question.id)
        return self._notices.decided_words(await self._reach.approvals.answer(question.id, text))

    async def _skip(self, _rest: str) -> str:
        question = self.question()
        if question is None:
            return self._texts("telegram.no_question")
        self._notices.decided_here.add(question.id)
        return self._notices.decided_words(await self._reach.approvals.skip(question.id))

    async def _switch(self, name: str, rest: str) -> str:
        if rest not in ("on", "off"):
            return self._texts("telegram.switch_how", name=name)
        self._reach.conversations.patch(self._chat.conversation(), {name: rest == "on"})
        return self._texts(f"telegram.switched_{rest}", name=name)

    async def _status(self, _rest: str) -> str:
        detail = self._reach.conversations.detail(self._chat.conversation())
        requests = ", ".join(approval.tool for approval in self._chat.pending())
        jobs = [job for job in self._reach.jobs.describe() if job.next_run_at]
        following = sorted(jobs, key=lambda job: job.next_run_at or "")[:NEXT_JOBS]
        texts = self._texts
        return texts(
            "telegram.status",
            conversation=detail.title or detail.id,
            running=texts("telegram.yes" if detail.running else "telegram.no"),
            spent=f"${detail.spent_usd:.4f}",
            cap=texts("telegram.status_cap", cap=f"${detail.cost_cap_usd:.2f}") if detail.cost_cap_usd else "",
            queue=len(detail.queued),
            requests=requests or texts("telegram.none"),
            jobs="; ".join(f"{job.name} {self._when(job.next_run_at)}" for job in following) or texts("telegram.none"),
        )

    def _when(self, moment: str | None) -> str:
        return local_time(datetime.fromisoformat(moment), self._reach.parts.zone) if moment else self._texts("telegram.never")

    async def _team(self, _rest: str) -> str:
        working = {run.agent_id for run in self._reach.parts.hub.live.values()}
        mark = self._texts("telegram.team_working")
        return "\n".join(
            self._texts("telegram.team_line", name=agent.name, id=agent.id, mode=agent.mode, working=mark if agent.id in working else "")
            for agent in self._reach.parts.roster.all()
        )

    async def _jobs(self, _rest: str) -> str:
        lines = [
            self._texts(
                "telegram.jobs_line",
                name=job.name,
                words=job.words,
                next=self._when(job.next_run_at),
                last=f"{self._when(job.last_run.started_at)} {job.last_run.status}" if job.last_run else self._texts("telegram.never"),
            )
            for job in self._reach.jobs.describe()[:LIST_JOBS]
        ]
        return "\n".join(lines) or self._texts("telegram.jobs_none")

    async def _cost(self, _rest: str) -> str:
        usage = await self._reach.stats.read()
        days = [day for _, day in usage.days]
        return self._texts("telegram.cost", today=self._money(days[-1:]), week=self._money(days))

    def _money(self, days: list[Usage]) -> str:
        unknown = sum(day.unknown for day in days)
        known = f"${sum(day.cost_usd for day in days):.4f}"
        return known + (self._texts("telegram.cost_unknown", count=unknown) if unknown else "")
