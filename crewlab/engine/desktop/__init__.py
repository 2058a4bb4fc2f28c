"""The machine's screen through the desktop helper. Stands on ``tools``; built in a later part."""
