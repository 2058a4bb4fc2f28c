"""English texts of the store."""

TEXTS = {
    "no_database": "it is no SQLite database",
    "broken": (
        "{file} cannot be used as the store ({error}). Put a backup in its place, or move it away together with its -wal and -shm files "
        "to start with an empty store; then restart."
    ),
    "newer": (
        "{file} was written by a newer crewlab (schema {found}; this one knows up to {known}). "
        "Install the newer crewlab again, or move the file away to start with an empty store."
    ),
    "unwritable": "{file} cannot be written: {error}. Make room on the disk or give the server the right to write there, then start it again.",
}
