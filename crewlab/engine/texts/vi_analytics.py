"""Vietnamese texts of the analytics store."""

TEXTS: dict[str, str] = {
    "no_duckdb": "Chưa cài DuckDB nên chưa thể hỏi bằng SQL. Hãy cài trong môi trường của máy chủ: pip install 'crewlab[analytics]'.",
    "held": "Một chương trình khác đang mở {file} nên không thể cập nhật bản sao. Hãy đóng nó ở đó; trong sổ tay hãy dùng crewlab.analytics.connect(). ({error})",
    "failed": "Không cập nhật được bản sao để hỏi; sẽ thử lại. ({error})",
    "nothing": "Chưa công bố gì. Hãy yêu cầu: POST /crewlab/api/analytics/refresh, hoặc crewlab.analytics.connect(fresh=True).",
}
