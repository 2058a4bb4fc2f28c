"""Values of a notebook as text for a message (UI-151), between markers that no value can imitate (UI-137)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from crewlab.notebook.errors import CrewError
from crewlab.notebook.words import say

MAX_CHARS = 8_000  # UI-151
MAX_ROWS = 20  # UI-151
SECRET_NAME = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)  # UI-151


def mark() -> str:
    """A number made for one message."""
    return secrets.token_hex(8)


def send_values(names: list[str], namespace: Mapping[str, Any], *, force: bool = False, number: Callable[[], str] = mark) -> str:
    """The text form of ``names``. Raises ``CrewError`` for a name that is not there and, without ``force``, for a secret-like one."""
    missing = [name for name in names if name not in namespace]
    if missing:
        raise CrewError("no_variable", 0, say("no_variable", names=", ".join(missing)))
    secret = [name for name in names if SECRET_NAME.search(name)]
    if secret and not force:
        raise CrewError("secret_name", 0, say("secret_name", names=", ".join(secret)))
    sign = number()
    blocks = "\n\n".join(_value(name, namespace[name], sign) for name in names)
    return f"{say('data_follows', number=sign)}\n\n{blocks}"


def _value(name: str, value: Any, sign: str) -> str:
    kind = type(value)
    shape = getattr(value, "shape", None)
    title = f"{name}: {kind.__module__}.{kind.__qualname__}" + (f", shape {shape}" if isinstance(shape, tuple) else "")
    text = _text(value)
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS] + f"\n… ({len(text):,})"
    return f"<<<{sign} {title}>>>\n{text}\n<<<{sign} end>>>"


def _text(value: Any) -> str:
    """A DataFrame as column types and its first rows; anything else as ``repr``."""
    if hasattr(value, "dtypes") and hasattr(value, "head") and hasattr(value, "columns"):
        types = "\n".join(f"{column}: {kind}" for column, kind in zip(value.columns, value.dtypes, strict=True))
        return f"{types}\n\n{value.head(MAX_ROWS).to_string()}"
    return repr(value)
