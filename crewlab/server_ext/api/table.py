"""The route table: register D as far as it is built. ``openapi.py`` describes it, ``adapter.py`` serves it."""

from __future__ import annotations

from crewlab.engine.jobs.record import JobInfo
from crewlab.engine.memory_records import MemoryProposal
from crewlab.engine.records import Approval, Conversation, ConversationSummary, Run
from crewlab.server_ext.api import (
    activity,
    approvals,
    conversations,
    exports,
    files,
    jobs,
    memory,
    messages,
    search,
    stats,
    tools,
    version,
)
from crewlab.server_ext.api import models as m
from crewlab.server_ext.api.analytics_routes import ANALYTICS_ROUTES
from crewlab.server_ext.api.artifact_routes import ARTIFACT_ROUTES
from crewlab.server_ext.api.attachment_routes import ATTACHMENT_ROUTES
from crewlab.server_ext.api.crew_table import AGENT_ROUTES, CONNECTION_ROUTES, SETTINGS_ROUTES
from crewlab.server_ext.api.script_store import SCRIPT_STORE_ROUTES
from crewlab.server_ext.api.tools import ToolList
from crewlab.server_ext.api.usage import UsageParts, UsagePeriod, UsageStats
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
    Route("GET", "stats/parts", stats.parts, UsageParts, query=UsagePeriod, errors=WRONG, ids=("USE-1", "COST-22")),
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
    Route("GET", "jobs/preview", jobs.preview, jobs.SchedulePreview, query=jobs.PreviewQuery, errors=WRONG, ids=("UI-91",)),
    Route("GET", "jobs", jobs.list_jobs, jobs.JobList, ids=("JOB-25", "JOB-26")),
    Route(
        "POST",
        "jobs/{id+}/run",
        jobs.run_now,
        jobs.JobStarted,
        status=202,
        errors=(*GONE, "409 running", "409 disabled"),
        ids=("JOB-25", "JOB-29"),
    ),
    Route(
        "PATCH",
        "jobs/{id+}/state",
        jobs.change_state,
        JobInfo,
        body=jobs.JobStateChange,
        errors=(*GONE, "409 disabled", *WRONG),
        ids=("JOB-25", "JOB-27", "JOB-28"),
    ),
    Route("GET", "jobs/{id+}/runs", jobs.runs, jobs.JobRuns, query=jobs.JobRunQuery, errors=GONE + WRONG, ids=("JOB-25",)),
    Route("DELETE", "jobs/{id+}", jobs.delete, None, status=204, errors=(*GONE, "409 profile_job"), ids=("JOB-30", "JOB-31")),
    Route("GET", "stream", activity.many, None, query=m.StreamQuery, streams=True, errors=GONE + WRONG, ids=("WIRE-9",)),
    *AGENT_ROUTES,
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
    Route("GET", "agents/{id}/memory", memory.agent, memory.AgentMemoryView, errors=GONE, ids=("MEMF-17",)),
    Route(
        "PUT",
        "agents/{id}/memory",
        memory.rewrite,
        memory.AgentMemoryView,
        body=memory.MemoryChange,
        errors=(*GONE, "409 stale", *WRONG),
        ids=("MEMF-17",),
    ),
    Route("GET", "memory/proposals", memory.proposals, memory.ProposalList, query=memory.ProposalQuery, errors=WRONG, ids=("MEMF-17",)),
    Route(
        "POST",
        "memory/proposals/{id}",
        memory.decide,
        MemoryProposal,
        body=memory.ProposalDecision,
        errors=(*GONE, "409 stale", "409 decided", *WRONG),
        ids=("MEMF-11", "MEMF-12", "MEMF-17"),
    ),
    Route("GET", "memory/user", memory.user, memory.UserMemory, ids=("MEMF-17",)),
    Route("PUT", "memory/user/{slug}", memory.save, memory.UserFact, body=memory.FactChange, errors=WRONG, ids=("MEMF-17",)),
    Route("DELETE", "memory/user/{slug}", memory.forget, memory.UserFact, errors=GONE + WRONG, ids=("MEMF-17",)),
    *ANALYTICS_ROUTES,
    Route("GET", "tools", tools.list_tools, ToolList, ids=("TOOL-39", "TOOL-40")),
    *ATTACHMENT_ROUTES,
    *ARTIFACT_ROUTES,
    *SCRIPT_STORE_ROUTES,
    *CONNECTION_ROUTES,
    *SETTINGS_ROUTES,
)
