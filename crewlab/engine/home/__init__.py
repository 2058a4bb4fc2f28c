"""The home on disk: layout, lock, ``config.yaml``, ``agent.yaml`` and keys.

Ground of the engine: imports only ``texts``, ``errors`` and third-party parsers.
"""
