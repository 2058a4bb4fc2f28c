"""Values that look like a key, wherever they stand (AGT-7): none belongs into a configuration file."""

from __future__ import annotations

import re

_SHAPES = re.compile(
    r"""
    (?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}                              # OpenAI, OpenRouter, Anthropic
    | (?i:bearer)\s+(?=[^\s$]*\d)[A-Za-z0-9._~+/=-]{16,}               # a header written out; ${NAME} is not one
    | (?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*  # JWT
    | (?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}                               # the token of a bot
    | (?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{30,}                       # GitHub
    | (?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}                     # Slack
    | (?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}                           # Google
    | (?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Z0-9])                     # AWS
    """,
    re.VERBOSE,
)


def looks_secret(value: str) -> bool:
    """Whether ``value`` holds something of a known key shape."""
    return _SHAPES.search(value) is not None
