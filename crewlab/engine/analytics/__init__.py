"""The DuckDB copy of the store for questions and charts (ANL-1 to ANL-9): made by watermarks, published as snapshots.

Reads the store through ``store.copying`` and never writes to it; DuckDB is imported on first use, in the one thread that uses it.
"""
