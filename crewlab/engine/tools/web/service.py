"""Asking a service that answers JSON. What goes wrong is a code, never what the service wrote: that may repeat a key (WEB-19)."""

from __future__ import annotations

import json
from typing import Any

from crewlab.engine.net.failures import NetProblem
from crewlab.engine.net.guard import Guard
from crewlab.engine.net.request import Answer, Ask, Limits, request


class ServiceFailed(Exception):
    """The service gave nothing that can be used; ``reason`` is a code or a status."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def ask_service(guard: Guard, url: str, ask: Ask, limits: Limits, *, owners: bool = False) -> Answer:
    """The answer of a service, whatever its status; raises ``ServiceFailed``. ``owners``: the owner wrote its address."""
    try:
        judged = await (guard.service(url) if owners else guard.check(url))
        answer = await request(guard, judged, ask, limits)
    except NetProblem as problem:
        raise ServiceFailed(problem.code) from None
    if answer.cut is not None:
        raise ServiceFailed(f"cut_{answer.cut}")
    return answer


def json_of(answer: Answer) -> dict[str, Any]:
    """The JSON object of a good answer; raises ``ServiceFailed`` for every other."""
    if not 200 <= answer.status < 300:
        raise ServiceFailed(f"status_{answer.status}")
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise ServiceFailed("not_json") from None
    if not isinstance(found, dict):
        raise ServiceFailed("form")
    return found


def mapping(value: object) -> dict[str, Any]:
    """``value`` when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a list; raises ``ServiceFailed`` when it is none."""
    if not isinstance(value, list):
        raise ServiceFailed("form")
    return [each for each in value if isinstance(each, dict)]
