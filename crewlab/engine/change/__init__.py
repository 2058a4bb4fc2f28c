"""Changes of a running crew: agents, keys and routes are saved, and the crew follows at once (AGT-38, CHN-47).

``rebuild`` is the one place that builds the new crew, judges what would break, writes and swaps; ``agents`` and ``connections``
are what a person may do. Stands above turns, jobs and channels and below ``crew.py``.
"""
