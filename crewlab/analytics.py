"""Questions in SQL over all runs, by their public name (ANL-16): ``crewlab.analytics.connect()``."""

from __future__ import annotations

from crewlab.notebook.charts import bars, timeline
from crewlab.notebook.questions import Questions, connect

__all__ = ["Questions", "bars", "connect", "timeline"]
