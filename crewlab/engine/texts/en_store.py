"""English texts of the store."""

TEXTS = {
    "newer": (
        "{file} was written by a newer crewlab (schema {found}; this one knows up to {known}). "
        "Install the newer crewlab again, or move the file away to start with an empty store."
    ),
}
