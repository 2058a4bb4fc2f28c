"""What the route of workspace files says, English."""

TEXTS = {
    "not_there": "{path} is not a file of the workspace: it is missing, a folder, a reserved place, or outside.",
    "too_large": "{path} is larger than {limit} MB and is not sent. Open it where it lies.",
}
