"""The conversation of a notebook, kept in its metadata (UI-152).

The front end writes it there when the output of a magic names one; here it is read from the notebook's file, whose path
Jupyter gives to the kernel. Where it does not, a conversation lives as long as its kernel.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOTEBOOK_VARIABLE = "JPY_SESSION_NAME"  # set by Jupyter's server
KEY = "crewlab"
ID = re.compile(r"c_[\w-]{1,80}")


def naming(conversation_id: str) -> dict[str, Any]:
    """The metadata of an output that names its conversation."""
    return {KEY: {"conversation": conversation_id}}


def kept_conversation(environ: Mapping[str, str] | None = None) -> str | None:
    """The conversation that the saved notebook names; None without one, or without a notebook."""
    path = (os.environ if environ is None else environ).get(NOTEBOOK_VARIABLE, "")
    if not path.endswith(".ipynb"):
        return None
    try:
        metadata = json.loads(Path(path).read_text(encoding="utf-8"))["metadata"]
        found = metadata.get(KEY, {}).get("conversation")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # not saved yet, or no notebook of ours
    return found if isinstance(found, str) and ID.fullmatch(found) else None  # a notebook may come from anywhere
