"""What a sandboxed process may do (SHL-42 to SHL-45), and the refusal when that cannot be held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Form = Literal["closed", "write_limited"]  # SHL-45
FORMS: tuple[Form, ...] = ("closed", "write_limited")


class SandboxRefused(Exception):
    """The command does not run, because its sandbox cannot be built; the message says what is missing (SHL-60)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Policy:
    """The sandbox of one process tree.

    ``write_paths`` are relative to ``workspace`` (SHL-55); ``owner`` is the id whose private temporary folder is used (SHL-72).
    ``hidden`` are places to cover besides those that every sandbox covers. ``own_sockets`` leaves the creation of sockets
    alone in the closed form, whose network is empty anyway: for kernels, which cannot live without (TIER-22).
    """

    form: Form
    workspace: Path
    owner: str
    write_paths: tuple[str, ...] = ()
    hidden: tuple[Path, ...] = ()
    own_sockets: bool = False


def form_of(network: bool, write_paths: Sequence[str] | None) -> Form | None:
    """The form that ``shell_network`` and ``shell_write_paths`` ask for; ``None``: no sandbox. An empty list is a list (SHL-43)."""
    if not network:
        return "closed"
    return None if write_paths is None else "write_limited"
