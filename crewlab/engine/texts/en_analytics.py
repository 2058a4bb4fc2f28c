"""English texts of the analytics store."""

TEXTS: dict[str, str] = {
    "no_duckdb": "DuckDB is not installed, so questions in SQL are not possible. Install it in the server's environment: pip install 'crewlab[analytics]'.",
    "held": "Another program has {file} open, so the copy cannot be brought up to date. Close it there; notebooks use crewlab.analytics.connect(). ({error})",
    "failed": "The copy for questions could not be brought up to date; it is tried again. ({error})",
    "nothing": "Nothing has been published yet. Ask for it: POST /crewlab/api/analytics/refresh, or crewlab.analytics.connect(fresh=True).",
}
