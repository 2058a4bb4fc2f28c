"""The SQLite store: the one truth of a home. No SQL stands anywhere else.

One module per family of tables. Ground of the engine: imports only ``errors``, ``records`` and the standard library.
"""
