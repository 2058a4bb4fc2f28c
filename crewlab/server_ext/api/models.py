"""What the routes take and give (register D), where no record of the engine is already the answer.

Requests refuse unknown fields, answers carry every field; ``scripts/contract.py`` turns all of them
into ``openapi.json`` and the TypeScript types.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from crewlab.engine.records import (
    Approval,
    ApprovalStatus,
    AttachedFile,
    ConversationSummary,
    Json,
    QueueKind,
    Record,
    Run,
    Suggestion,
)

MAX_LIST = 200  # TURN-14: most conversations, runs or approvals in one answer
LIST_CONVERSATIONS = 100  # TURN-14
LIST_RUNS = 50  # TURN-14
LIST_APPROVALS = 50  # GATE-72
SEARCH_CHARS = 200  # FTS-9
SEARCH_RESULTS = 20  # FTS-9
MAX_SEARCH = 50  # FTS-9

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class ErrorBody(Record):
    """Every error of the API (TURN-8); some carry further fields, such as ``field`` or ``home``."""

    model_config = ConfigDict(extra="allow")

    message: str
    code: str


class VersionInfo(Record):
    """What the server serves: ``entry`` is the hashed entry file of the front end, "" when there is none (UI-127)."""

    version: str
    entry: str
    language: Literal["en", "vi"] | None


class FileQuery(Record):
    """Which file of an agent's workspace, relative to its top (MED-12)."""

    path: str = Field(min_length=1, pattern=r"\S")


class ConversationQuery(Record):
    """Which conversations to list."""

    agent: str | None = None
    limit: int = Field(LIST_CONVERSATIONS, ge=1, le=MAX_LIST)
    before: str | None = None


class ConversationList(Record):
    """Conversations, newest first."""

    conversations: list[ConversationSummary]
    more: bool


class NewConversation(Record):
    """A conversation to open; the agent is the master when none is named."""

    agent: str | None = None
    title: Title | None = None


class ConversationPatch(Record):
    """What of a conversation to change; fields that are left out stay (TURN-14)."""

    title: Title | None = None
    autonomous: bool | None = None
    auto_approve: list[str] | None = None
    cost_cap_usd: float | None = Field(None, ge=0, allow_inf_nan=False)
    skills: list[str] | None = None
    plan: bool | None = None
    vibe: bool | None = None


class ForkRequest(Record):
    """The message of the person before which a conversation is branched (FRK-1)."""

    before_message_id: int


class SearchQuery(Record):
    """What to search for in the messages of the whole crew (FTS-9)."""

    q: str = Field("", max_length=SEARCH_CHARS)
    limit: int = Field(SEARCH_RESULTS, ge=1, le=MAX_SEARCH)


class SearchResult(Record):
    """A message that matches; in ``snippet`` the matched words stand between U+0002 and U+0003 (FTS-9)."""

    conversation_id: str
    agent_id: str
    agent_name: str
    title: str
    message_id: int
    role: Literal["user", "assistant"]
    snippet: str
    created_at: str


class SearchResults(Record):
    """Messages that match, best first."""

    results: list[SearchResult]


class RunExportQuery(Record):
    """How to export a run; ``full`` leaves long tool results whole (TURN-100, TURN-107)."""

    format: Literal["json", "md"] = "json"
    full: bool = False


class SendMessage(Record):
    """A message for a conversation. ``request_id`` names the send (TURN-43)."""

    text: str
    request_id: str | None = None
    timezone: str | None = None
    attachments: list[str] = Field(default_factory=list, max_length=20)  # PTL-91


class SendHeaders(Record):
    """What the headers of a message say: whether the answer is an event stream, and who sends it (UI-148)."""

    accept: str = ""
    x_crewlab_source: Literal["notebook"] | None = None


class ResumeHeaders(Record):
    """The last frame a viewer has seen (WIRE-2)."""

    last_event_id: str | None = None


class QueuedPlace(Record):
    """Where a message waits."""

    item_id: int
    kind: QueueKind
    position: int


class SentMessage(Record):
    """The message is stored (WIRE-12); its turn is followed on the window's connection."""

    status: Literal["started", "queued", "known"]
    run_id: str | None
    message_id: int | None
    queued: QueuedPlace | None
    running: bool


class StopAnswer(Record):
    """What Stop took back out of the queue, and whether a turn was cancelled (QUE-19)."""

    cleared: list[str]
    cancelled: bool
    attachments: list[AttachedFile]


class InboundMessage(Record):
    """A message from any platform (TURN-17)."""

    text: str
    agent: str | None = None
    conversation_id: str | None = None
    source: str | None = Field(None, pattern=r"^[A-Za-z0-9-]{1,32}$")  # CHN-33


class TurnReply(Record):
    """The gathered answer of a turn; ``queued`` only when ``status`` says so (TURN-17)."""

    text: str
    status: Literal["done", "halted", "error", "waiting", "queued"]
    steps: int
    conversation_id: str
    run_id: str | None
    suggestions: list[Suggestion]
    queued: QueuedPlace | None


class ApprovalQuery(Record):
    """Which approvals to list (GATE-72)."""

    status: ApprovalStatus | None = None
    conversation_id: str | None = None
    agent_id: str | None = None
    limit: int = Field(LIST_APPROVALS, ge=1, le=MAX_LIST)
    before: str | None = None


class ApprovalList(Record):
    """Pending requests first, then decided ones, newest first."""

    approvals: list[Approval]


class Answer(Record):
    """An answer to a question: the labels that were chosen, typed text, or both (ASKU-9)."""

    labels: list[str] = Field(default_factory=list)
    text: str = ""


class Decision(Record):
    """What a person says to a request: a decision on a tool call (GATE-73), the answer to a question, or that it is skipped (ASKU-9).

    Exactly one of ``decision``, ``answer`` and ``skip`` is given.
    """

    decision: Literal["approve", "deny"] | None = None
    always: bool = False
    answer: str | Answer | None = None
    skip: Literal[True] | None = None


class RunQuery(Record):
    """Which runs to list."""

    agent_id: str | None = None
    conversation_id: str | None = None
    before: str | None = None
    limit: int = Field(LIST_RUNS, ge=1, le=MAX_LIST)


class RunList(Record):
    """Runs, newest first."""

    runs: list[Run]
    more: bool


class ProviderState(Record):
    """A provider of a written route, whether it could answer now, and in a sentence what is missing when it could not."""

    name: str
    ready: bool
    why: str


class KeyState(Record):
    """A known variable; never its value (CHN-41). ``check``: it can be tried out; ``saved``: it can be removed here."""

    name: str
    group: Literal["models", "web", "channels", "mcp", "other"]
    kind: Literal["secret", "url"]
    present: bool
    check: bool
    saved: bool


class TelegramState(Record):
    """A ``telegram`` block: the variable that holds its token, never the chat (CHN-41); ``problem`` is what the bot runs into, or empty."""

    agent_id: str
    token_env: str
    configured: bool
    ignored: bool
    problem: str


class Answering(Record):
    """Which model answers now; ``small`` for the demonstration model, ``mend`` says how to get a better one."""

    route: str | None
    small: bool
    mend: str


class ShellSandbox(Record):
    """Whether commands can be put into a sandbox here, and why not (SHL-88)."""

    system: Literal["macos", "linux", "other"]
    closed: bool
    write_limited: bool
    why: str


class ScriptSandboxState(Record):
    """Whether scripts run in a sandbox of the operating system, and why not (SCR-13)."""

    mode: Literal["auto", "required"]
    active: bool
    why: str


class Connections(Record):
    """What the crew is connected to (CHN-40). ``mcp_servers`` are the names that ``config.yaml`` declares."""

    providers: list[ProviderState]
    routes: list[str]
    vision_routes: list[str]
    audio_routes: list[str]
    embedding_routes: list[str]
    keys: list[KeyState]
    telegram: list[TelegramState]
    answering: Answering
    shell_sandbox: ShellSandbox
    script_sandbox: ScriptSandboxState
    mcp_servers: list[str]


class KeyValue(Record):
    """The value of a variable (CHN-48); it appears in no answer."""

    value: str


class KeyCheck(Record):
    """Whether a key or an address works, in a sentence (CHN-45)."""

    ok: bool
    message: str


class RouteLists(Record):
    """The lists of routes to set; each route as ``provider:model`` or ``{route, reasoning}``. What is left out stays."""

    routes: list[str | Json] | None = None
    vision_routes: list[str | Json] | None = None
    audio_routes: list[str | Json] | None = None
    embedding_routes: list[str | Json] | None = None


class StreamQuery(Record):
    """Topics of a multiplexed stream, each with the last seen id after ``@`` (WIRE-9)."""

    topic: list[str] = Field(min_length=1)
