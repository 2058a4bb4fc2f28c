"""English: kits."""

TEXTS: dict[str, str] = {
    "skipped_outside": "{file} is a link that leads out of its kit and was left out. Put the file itself there.",
    "skipped_large": "{file} is larger than 256 KB and was left out. Shorten it.",
    "skipped_unreadable": "{file} cannot be read and was left out. Mend its rights.",
    "skipped_not_utf8": "{file} is no UTF-8 text and was left out. Save it with the encoding UTF-8.",
    "skipped_empty": "{file} says nothing and was left out. Write what the agent is, or remove the file.",
    "skipped_bad_id": "{file} has a name that gives no id of an agent, so it was left out. Name it in letters and digits, and neither default nor owner.",
}
