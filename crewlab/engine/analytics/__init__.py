"""The DuckDB copy of the store for questions and charts. Reads the store; built in a later part."""
