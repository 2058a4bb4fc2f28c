"""The crew itself: one agent loop, one store, one gate.

Imports no Jupyter package, no Tornado and no face (``server_ext``, ``notebook``, ``widgets``).
What it needs from its host arrives as a ``Protocol``. ``crew.py`` is the composition root.
"""
