"""Canvases: versioned documents that agents and people write together. Stands on ``tools``; built in a later part."""
