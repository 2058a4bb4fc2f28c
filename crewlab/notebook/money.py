"""Prices and times as every face writes them (UI-125, guide 12)."""

from __future__ import annotations

from crewlab.notebook.words import say

MILLISECONDS = 1000
MINUTE = 60
HOUR = 3600


def price(usd: float | None, language: str | None = None, *, estimated: bool = False) -> str:
    """``$0.4127`` below one dollar, ``$2.18`` from there on; unknown is said, never 0 (UI-125); an estimate has ``≈`` (EST-4)."""
    if usd is None:
        return say("unknown_price", language)
    return ("≈ " if estimated else "") + (f"${usd:.4f}" if round(usd, 4) < 1 else f"${usd:.2f}")


def duration(ms: int | None) -> str:
    """``5.8 s``, ``1 m 42 s``, ``2 h 05 m``; nothing for a step without a duration."""
    if ms is None:
        return ""
    seconds = ms / MILLISECONDS
    if round(seconds, 1) < MINUTE:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < HOUR:
        return f"{whole // MINUTE} m {whole % MINUTE:02d} s"
    return f"{whole // HOUR} h {whole % HOUR // MINUTE:02d} m"
