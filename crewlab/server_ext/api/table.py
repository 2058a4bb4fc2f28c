"""The route table: register D as far as it is built. ``openapi.py`` describes it, ``adapter.py`` serves it."""

from __future__ import annotations

from crewlab.engine.records import Approval, Conversation, ConversationSummary, Run
from crewlab.server_ext.api import activity, agents, approvals, connections, conversations, exports, files, messages, search, stats, version
from crewlab.server_ext.api import models as m
from crewlab.server_ext.api.usage import UsageStats
from crewlab.server_ext.routing import Route

GONE = ("404 not_found",)
WRONG = ("422 invalid",)
MARKDOWN = "text/markdown"
SENDING = ("409 approval_pending", "422 invalid", "422 empty_steer", "422 text_too_long", "429 queue_full")

ROUTES: tuple[Route, ...] = (
    Route("GET", "version", version.version, m.VersionInfo, ids=("UI-127", "UI-6")),
    Route(
        "GET",
        "conversations",
        conversations.list_conversations,
        m.ConversationList,
        query=m.ConversationQuery,
        errors=GONE + WRONG,
        ids=("TURN-14",),
    ),
    Route(
        "POST",
        "conversations",
        conversations.create,
        ConversationSummary,
        status=201,
        body=m.NewConversation,
        errors=GONE + WRONG,
        ids=("TURN-14",),
    ),
    Route("GET", "conversations/{id}", conversations.read, Conversation, errors=GONE, ids=("TURN-15",)),
    Route(
        "PATCH",
        "conversations/{id}",
        conversations.change,
        Conversation,
        body=m.ConversationPatch,
        errors=GONE + WRONG,
        ids=("TURN-14", "TURN-19", "GATE-72"),
    ),
    Route("DELETE", "conversations/{id}", conversations.delete, None, status=204, errors=GONE, ids=("TURN-20", "QUE-18")),
    Route(
        "POST",
        "conversations/{id}/messages",
        messages.send,
        m.SentMessage,
        headers=m.SendHeaders,
        body=m.SendMessage,
        streams=True,
        errors=(*GONE, *SENDING, "422 bad_request_id"),
        ids=("TURN-14", "TURN-18", "TURN-43", "UI-7", "WIRE-12"),
    ),
    Route(
        "GET",
        "conversations/{id}/turn",
        messages.follow,
        None,
        headers=m.ResumeHeaders,
        streams=True,
        also=(204,),
        errors=GONE,
        ids=("TURN-35", "WIRE-4"),
    ),
    Route("POST", "conversations/{id}/stop", conversations.stop, m.StopAnswer, errors=GONE, ids=("QUE-19", "QUE-20")),
    Route(
        "POST",
        "conversations/{id}/fork",
        conversations.fork,
        Conversation,
        status=201,
        body=m.ForkRequest,
        errors=(*GONE, "409 child_conversation", "422 bad_cut"),
        ids=("FRK-1", "FRK-2", "FRK-3"),
    ),
    Route("GET", "conversations/{id}/export", exports.conversation, None, files=(MARKDOWN,), errors=GONE, ids=("TURN-109",)),
    Route("GET", "messages/search", search.messages, m.SearchResults, query=m.SearchQuery, errors=WRONG, ids=("FTS-9",)),
    Route(
        "POST",
        "inbound",
        messages.inbound,
        m.TurnReply,
        also=(202,),
        body=m.InboundMessage,
        errors=GONE + SENDING,
        ids=("TURN-17", "CHN-33"),
    ),
    Route("GET", "approvals", approvals.list_approvals, m.ApprovalList, query=m.ApprovalQuery, errors=WRONG, ids=("GATE-72",)),
    Route("GET", "approvals/{id}", approvals.read, Approval, errors=GONE, ids=("GATE-72",)),
    Route(
        "POST",
        "approvals/{id}",
        approvals.decide,
        Approval,
        body=m.Decision,
        errors=(*GONE, "409 not_pending", "409 conversation_busy", *WRONG),
        ids=("GATE-72", "GATE-73", "GATE-74", "ASKU-9"),
    ),
    Route("GET", "activity/stream", activity.stream, None, headers=m.ResumeHeaders, streams=True, ids=("TURN-92", "WIRE-4")),
    Route("GET", "activity/runs", activity.runs, m.RunList, query=m.RunQuery, errors=GONE + WRONG, ids=("TURN-14",)),
    Route("GET", "activity/runs/{run_id}", activity.run, Run, errors=GONE, ids=("TURN-14", "TURN-82")),
    Route("GET", "stats", stats.stats, UsageStats, ids=("COST-20", "COST-21", "COST-22")),
    Route(
        "GET",
        "activity/runs/{run_id}/export",
        exports.run,
        None,
        query=m.RunExportQuery,
        files=("application/json", MARKDOWN),
        errors=GONE + WRONG,
        ids=("TURN-100", "TURN-107", "TURN-108"),
    ),
    Route("GET", "stream", activity.many, None, query=m.StreamQuery, streams=True, errors=GONE + WRONG, ids=("WIRE-9",)),
    Route("GET", "agents", agents.list_agents, m.AgentList, ids=("AGT-32", "AGT-33")),
    Route("GET", "agents/{id}", agents.read, m.AgentView, errors=GONE, ids=("AGT-32", "AGT-33")),
    Route("GET", "agents/{id}/prompt", agents.prompt, m.AgentPrompt, errors=GONE, ids=("TURN-79",)),
    Route(
        "GET",
        "agents/{id}/files",
        files.read,
        None,
        query=m.FileQuery,
        files=("*/*",),
        errors=(*GONE, *WRONG, "413 too_large"),
        ids=("CHN-66", "CHN-67", "MED-12", "FIL-1"),
    ),
    Route("GET", "connections", connections.connections, m.Connections, ids=("CHN-40", "CHN-41")),
)
