"""A crew with a Telegram bot in a process of its own, to be killed: ``python -m tests.drills.telegram_server HOME``."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from crewlab.engine.crew import open_crew
from crewlab.engine.home.layout import Home


async def serve(home: Path) -> None:
    """Run until killed; one line on standard output says that the crew runs."""
    crew = await open_crew(Home(home), environ=dict(os.environ), person=lambda: True)
    await crew.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
