"""The scheduler. Stands on ``turn`` and ``store``; built in a later part."""
