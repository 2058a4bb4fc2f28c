"""Asking the system for the addresses of a name, in a thread that nobody has to wait for (BRW-114).

The system's call cannot be ended. It runs in a daemon thread of its own, so that a name server that does not answer keeps
neither the loop, nor the threads of others, nor the end of the process waiting; at most ``MOST_AT_ONCE`` are under way.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence

MOST_AT_ONCE = 16

Resolver = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a name as texts; raises ``OSError`` when there are none."""

_places = threading.BoundedSemaphore(MOST_AT_ONCE)


async def system_resolver(name: str) -> Sequence[str]:
    """The addresses the system knows for ``name``; raises ``OSError``."""
    if not _places.acquire(blocking=False):
        raise OSError(errno.EAGAIN, name)
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def settle(found: Sequence[str] | OSError) -> None:
        if answer.done():
            return
        if isinstance(found, OSError):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    def ask() -> None:
        found: Sequence[str] | OSError
        try:
            found = [str(entry[4][0]) for entry in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
        except UnicodeError as error:
            found = OSError(str(error))
        except OSError as error:
            found = error
        finally:
            _places.release()
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits any more
            loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=ask, name="crewlab resolve", daemon=True).start()
    return await answer
