"""English texts of the store."""

TEXTS = {
    "newer": (
        "{file} was written by a newer crewlab (schema {found}; this one knows up to {known}). "
        "Install the newer crewlab again, or move the file away to start with an empty store."
    ),
    "unusable": "{file} cannot be opened as the store: {error}. Check that the directory can be written and has room. If the file is damaged, move it away and put a copy back; crewlab then starts with that.",
    "unwritable": "{file} cannot be written: {error}. Make room on the disk or give the server the right to write there, then start it again.",
}
