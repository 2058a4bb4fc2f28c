"""The Jupyter server extension: HTTP, event streams and WebSocket over the engine.

The only package that imports ``jupyter_server`` and ``tornado``.
"""
