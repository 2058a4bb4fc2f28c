"""The recorded event files: what is in them is the contract, and all of the contract is in them (TURN-6)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from crewlab.engine import events

HERE = Path(__file__).resolve().parent
FILES = sorted(HERE.glob("*.jsonl"))
STRANGERS = {"unknown-event": ["constructor"]}  # UI-111: of a newer server


def frames(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def names(union: Any) -> set[str]:
    return {model.model_fields["type"].default for model in get_args(get_args(union)[0])}


@pytest.mark.spec("TURN-6")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line_is_a_frame_of_the_contract(path: Path) -> None:
    strangers = []
    for number, frame in enumerate(frames(path), start=1):
        assert list(frame) == ["topic", "id", "event", "data"]
        assert frame["id"] == f"e0-{number}"
        assert frame["data"]["type"] == frame["event"]
        adapter = events.activity_frames() if frame["topic"] == "activity" else events.conversation_events()
        if frame["event"] in names(events.ActivityFrame) | names(events.ConversationEvent):
            assert adapter.validate_python(frame["data"]).model_dump(mode="json") == frame["data"]
        else:
            strangers.append(frame["event"])
    assert strangers == STRANGERS.get(path.stem, [])


@pytest.mark.spec("TURN-6")
@pytest.mark.parametrize(("topic", "union"), [("conversation:cv-1", events.ConversationEvent), ("activity", events.ActivityFrame)])
def test_every_event_of_the_contract_is_recorded(topic: str, union: Any) -> None:
    heard = {frame["event"] for path in FILES for frame in frames(path) if frame["topic"] == topic}
    assert names(union) - heard == set()


@pytest.mark.spec("TURN-6")
def test_the_recorded_files_are_those_of_the_scenes() -> None:
    found = subprocess.run([sys.executable, str(HERE / "record.py"), "--check"], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("", "")
    assert {path.stem for path in FILES} == {path.name.removesuffix(".view.json") for path in HERE.glob("*.view.json")}
