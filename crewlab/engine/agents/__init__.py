"""The members of the crew: profiles as the engine uses them.

Stands on ``home`` and ``texts``.
"""
