"""The shell and its operating-system sandbox. Stands on ``tools``; built in a later part."""
