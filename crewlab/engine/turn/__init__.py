"""The turn: loop, host, watchers, queue, resume and prompt assembly.

Stands on ``models``, ``gate``, ``tools`` and ``store``.
"""
