"""The gate: one verdict before every call, and the approvals it stores.

Stands on ``tools``, ``store``, ``home`` and ``texts``. The verdict is a pure function.
"""
