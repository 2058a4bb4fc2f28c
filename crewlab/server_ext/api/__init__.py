"""One module of plain async functions per resource: validate, call the engine, shape the answer. No logic."""
