"""Delegation: work given to another agent by a tool call. Stands on ``tools``; built in a later part."""
