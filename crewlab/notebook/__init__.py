"""The notebook side: Python client, magics and rich displays. Speaks HTTP to the server, never to the engine."""
