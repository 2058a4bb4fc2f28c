"""Streams of several vendors, made anew by hand in the form each of them uses, with what they must mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crewlab.engine.models.base import Usage
from tests.fixtures.wire import call, chunk, sse


@dataclass(frozen=True)
class Transcript:
    body: bytes
    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    reasons: bool = False


OPENROUTER = Transcript(
    sse(
        ": OPENROUTER PROCESSING",
        ": OPENROUTER PROCESSING",
        chunk({"role": "assistant", "content": ""}, provider="Some"),
        chunk({"content": "", "reasoning": "The person greets", "reasoning_details": [{"type": "reasoning.text", "text": "x"}]}),
        chunk({"content": "Xin ch"}),
        chunk({"content": "ào 👋"}),
        chunk({}, "stop", native_finish_reason="end_turn"),
        {
            **chunk({"content": ""}),
            "usage": {
                "prompt_tokens": 194,
                "completion_tokens": 12,
                "total_tokens": 206,
                "cost": 0.00095,
                "cost_details": {"upstream_inference_cost": None},
                "prompt_tokens_details": {"cached_tokens": 128},
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
        },
    ),
    "Xin chào 👋",
    usage=Usage(194, 12, 128, 5),
    cost=0.00095,
    reasons=True,
)
OPENAI_CALLS = Transcript(
    sse(
        chunk({"role": "assistant", "content": None, "refusal": None}, usage=None),
        chunk(call(0, "call_a", "workspace_write", "")),
        chunk(call(0, None, None, '{"path": "gh')),
        chunk(call(0, None, None, 'i chú.txt", "content": "a\\n"}')),
        chunk(call(1, "call_b", "workspace_list", "")),
        chunk(call(1, None, None, "{}")),
        chunk({}, "tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 80, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 0}}},
    ),
    calls=(("workspace_write", {"path": "ghi chú.txt", "content": "a\n"}), ("workspace_list", {})),
    usage=Usage(80, 40, 0, None),
)
OLLAMA = Transcript(
    sse(
        chunk({"role": "assistant", "content": "", "reasoning": "Hm."}),
        chunk({"role": "assistant", "content": "", **call(0, "call_1", "workspace_read", '{"path":"a.txt"}')}),
        chunk({"role": "assistant", "content": ""}, "tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 9, "total_tokens": 39}},
    ),
    calls=(("workspace_read", {"path": "a.txt"}),),
    usage=Usage(30, 9),
    reasons=True,
)
LLAMA_CPP = Transcript(
    sse(
        chunk({"role": "assistant", "content": None}),
        chunk({"content": "Hanoi"}),
        chunk({"content": "."}),
        chunk({}, "stop"),
        {
            "choices": [],
            "usage": {"prompt_tokens": 20, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 16}},
            "timings": {"predicted_per_second": 70.1},
        },
    ),
    "Hanoi.",
    usage=Usage(20, 3, 16),
)
VLLM = Transcript(
    sse(
        chunk({"role": "assistant", "content": ""}, usage={"prompt_tokens": 5, "completion_tokens": 0}),
        chunk({"reasoning_content": "two"}, usage={"prompt_tokens": 5, "completion_tokens": 1}),
        chunk({"content": "4"}, usage={"prompt_tokens": 5, "completion_tokens": 2}),
        chunk({"content": ""}, "stop", usage={"prompt_tokens": 5, "completion_tokens": 2}, stop_reason=None),
    ),
    "4",
    usage=Usage(5, 2),
    reasons=True,
)
NO_INDEX = Transcript(  # a gateway that sends neither index nor id, and whole objects as arguments
    sse(
        chunk({"role": "assistant", **call(None, None, "workspace_list", {"path": "x"})}),
        chunk(call(None, None, "workspace_read", '{"path": "y"}')),
        chunk({}, "stop"),
    ),
    calls=(("workspace_list", {"path": "x"}), ("workspace_read", {"path": "y"})),
)
SAME_ID = Transcript(  # ids without an index, one call in pieces, then another
    sse(
        chunk(call(None, "a", "f", '{"k"')),
        chunk(call(None, "a", None, ": 1}")),
        chunk(call(None, "b", "g", "{}")),
        chunk({}, "tool_calls"),
    ),
    calls=(("f", {"k": 1}), ("g", {})),
)
BROKEN_CALL = Transcript(
    sse(chunk(call(0, "c", "f", '{"path": "a')), chunk({}, "tool_calls")),
    calls=(("f", '{"path": "a'),),
)
NAMELESS = Transcript(sse(chunk(call(0, "c", None, "{}")), chunk({}, "tool_calls")), calls=(("", {}),))
TWICE_ENCODED = Transcript(
    sse(chunk(call(0, "c", "f", '"{\\"k\\": 1}"')), chunk({}, "tool_calls")),
    calls=(("f", {"k": 1}),),
)
CRLF = Transcript(sse(": hello", chunk({"content": "a\nb"}), chunk({}, "stop"), end="\r\n\r\n"), "a\nb")
NO_DONE = Transcript(sse(chunk({"content": "yes"}), chunk({}, "stop"), done=False), "yes")
NO_FINISH = Transcript(sse(chunk({"content": "yes"})), "yes")
NO_LAST_EMPTY_LINE = Transcript(sse(chunk({"content": "yes"}), chunk({}, "stop"), done=False).rstrip(b"\n"), "yes")
PARTS = Transcript(
    sse(chunk({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "oui"}]}), chunk({"content": "!"}, "stop")),
    "oui!",
)
HALF_EMOJI = Transcript(
    b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n'
    b'data: {"choices":[{"delta":{"content":"\\ude00b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    "a😀b",
)
MANY_LINES = Transcript(b'\xef\xbb\xbfdata: {"choices":[{"delta":{"content":\ndata:  "x"},\ndata: "finish_reason":"stop"}]}\n\n', "x")
THINK_TAGS = Transcript(  # a server without a reasoning parser
    sse(
        chunk({"content": "\n<th"}),
        chunk({"content": "ink>The person"}),
        chunk({"content": " greets.</thi"}),
        chunk({"content": "nk>\n\nHello <think> you"}),
        chunk({"content": "!"}, "stop"),
    ),
    "Hello <think> you!",
    reasons=True,
)
NO_THINKING = Transcript(sse(chunk({"content": "<th"}), chunk({"content": ""}, "stop")), "<th")
PLAIN_JSON = Transcript(
    b'{"choices":[{"message":{"role":"assistant","content":"not streamed"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}',
    "not streamed",
    usage=Usage(3),
)

OPENAI_FORM: dict[str, Transcript] = {
    name: value for name, value in list(globals().items()) if isinstance(value, Transcript) and name != "ANTHROPIC"
}

_USAGE = {"input_tokens": 20, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 300, "output_tokens": 1}


def _named(*events: dict[str, Any]) -> bytes:
    lines = [f"event: {event['type']}\n{sse(event, done=False).decode()}" for event in events]
    return "".join(lines).encode()


ANTHROPIC = Transcript(
    _named(
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": _USAGE}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Let me"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "abc"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Tôi ghi "}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "tệp 📝."}},
        {"type": "content_block_stop", "index": 1},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ""}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"path": "b'}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": 'áo.md"}'}},
        {"type": "content_block_stop", "index": 2},
        {"type": "content_block_start", "index": 3, "content_block": {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}}},
        {"type": "content_block_stop", "index": 3},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 77}},
        {"type": "message_stop"},
    ),
    "Tôi ghi tệp 📝.",
    calls=(("f", {"path": "báo.md"}), ("g", {})),
    usage=Usage(420, 77, 300, cache_write_tokens=100),
    reasons=True,
)
