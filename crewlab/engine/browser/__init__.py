"""An agent's own browser. Stands on ``tools``; built in a later part."""
