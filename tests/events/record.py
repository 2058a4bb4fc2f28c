"""Writes the recorded event files and their views; ``--check`` names the files that differ.

Run it after a change of the event contract, then read the difference: a view that changed is a change of what people see.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]

from catalogue import SCENES  # noqa: E402  (after the path)

from crewlab.notebook import reducers  # noqa: E402


def lines(scene: list[tuple[str, dict[str, Any]]]) -> str:
    """The frames of a scene, numbered as on the wire (WIRE-1, WIRE-2)."""
    frames = []
    for number, (topic, data) in enumerate(scene, start=1):
        frames.append({"topic": topic, "id": f"e0-{number}", "event": data["type"], "data": data})
    return "".join(json.dumps(frame, ensure_ascii=False, separators=(",", ":")) + "\n" for frame in frames)


def view_of(frames: list[dict[str, Any]]) -> dict[str, Any]:
    """What the reducer of the topic makes of a file."""
    activity = frames[0]["topic"] == "activity"
    view = reducers.empty_activity() if activity else reducers.empty_conversation()
    reduce = reducers.reduce_activity if activity else reducers.reduce_conversation
    for frame in frames:
        view = reduce(view, frame["data"])
    return view


def documents() -> dict[Path, str]:
    """Each recorded file with its text."""
    found = {}
    for name, scene in SCENES.items():
        text = lines(scene)
        found[HERE / f"{name}.jsonl"] = text
        view = view_of([json.loads(line) for line in text.splitlines()])
        found[HERE / f"{name}.view.json"] = json.dumps(view, ensure_ascii=False, indent=1) + "\n"
    return found


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` name those that differ."""
    stale = [(path, text) for path, text in documents().items() if not path.is_file() or path.read_text() != text]
    for path, text in stale:
        if "--check" not in arguments:
            path.write_text(text)
        print(path.name)
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
