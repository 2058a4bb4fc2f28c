"""Remote MCP servers and their tools. Stands on ``tools``; built in a later part."""
