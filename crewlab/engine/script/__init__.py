"""Scripts: many tool calls by one short program, interpreted in an isolated child. Stands on ``tools``; built in a later part."""
