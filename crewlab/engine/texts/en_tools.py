"""Tools: what a model reads about them and every sentence they answer (TOOL-8). English."""

TEXTS: dict[str, str] = {
    # the contract
    "not_available": 'Tool "{name}" is not available in this turn.',
    "failed": "The tool {name} failed inside ({kind}). Nothing is known to have changed; try another way or tell the person.",
    "empty": "The tool {name} ended without an answer.",
    # arguments
    "args_wrong": "{problems} Nothing ran. Correct form: {form}",
    "args_not_object": "The arguments are not a JSON object.",
    "args_unknown": "There is no parameter {name}.",
    "args_missing": "The parameter {name} is missing.",
    "args_type": "{name} must be {expected}, not {got}.",
    "args_enum": "{name} must be one of {choices}.",
    "args_low": "{name} must be at least {limit}.",
    "args_high": "{name} must be at most {limit}.",
    "args_short": "{name} must have at least {limit} characters.",
    "args_long": "{name} must have at most {limit} characters.",
    "args_few": "{name} must have at least {limit} elements.",
    "args_many": "{name} must have at most {limit} elements.",
    "args_choice": "Give exactly one of these: {groups}.",
    "args_or": " or ",
    # shortened output
    "cut_mark": "[… {count} more characters left out]",
    "items_mark": "[… {count} more elements left out]",
    "string_mark": "[… {count} characters left out …]",
    # numbers
    "thousands": ",",
    "decimal": ".",
    "byte_one": "1 byte",
    "bytes": "{count} bytes",
    # paths
    "path_empty": "The path is empty: name a file of the workspace.",
    "path_control": "The path {path} has a control character or half a character in it; such names are refused. Write the path again without it.",
    "path_long": "The path {path} is too long ({limit} characters at most).",
    "path_outside": "{path} leads out of the workspace. Use a path inside it, relative to its top, such as notes/today.md.",
    "path_reserved": "{path} is a reserved place of crewlab and closed to file tools. Use another path.",
    "path_changed": "{path} is a link now or was replaced while it was being used; nothing was done. Look with workspace_list and try again.",
    "path_not_there": "{path} is not there. workspace_list shows what is.",
    "path_not_directory": "{path} is not a directory. Read a file with workspace_read.",
    "path_in_file": "{path} cannot be: a part of it before the last is a file and not a directory.",
    "path_is_directory": "{path} is a directory and not a file.",
    "path_special": "{path} is not a regular file (a pipe, socket or device) and is refused.",
    "path_denied": "{path}: the system does not permit it ({why}).",
    "write_nowhere": "{path} may not be written: this agent may not write anywhere in the workspace.",
    "write_elsewhere": "{path} may not be written: this agent may write only under {places}.",
    # workspace_list
    "workspace_list.description": (
        "Lists one directory of your workspace, one entry per line: directories end with /, files show their size, links are marked. "
        "Use it to see which files there are. Do not call it again for a directory you have just listed, and not to read a file: workspace_read does that."
    ),
    "workspace_list.path": "Directory, relative to the workspace; without it, the top of the workspace.",
    "list_head": "{path} — {count} entries; ",
    "list_head_one": "{path} — 1 entry; ",
    "list_empty": "{path} is empty.",
    "list_file": "{name} ({size})",
    "list_link": "{name} (link)",
    "list_link_directory": "{name}/ (link)",
    "list_special": "{name} (not a regular file)",
    # workspace_read
    "workspace_read.description": (
        "Reads a text file of your workspace. Without offset and limit you get the whole file; a long one is shortened and the place is marked, "
        "so for a long file read windows of lines. Not for directories (workspace_list), pictures or PDFs, and not for anything outside the workspace."
    ),
    "workspace_read.path": "File, relative to the workspace.",
    "workspace_read.offset": "First line to read, counted from 1.",
    "workspace_read.limit": "Number of lines to read.",
    "read_empty": "{path} is empty.",
    "read_window": "{path}, lines {first} to {last} of {total}",
    "read_beyond": "{path} has {total} lines; offset {offset} is beyond the end.",
    "read_below_one": "{name} counts from 1; {value} is too small.",
    "read_not_text": "{path} is not a text file (UTF-8) and cannot be read as one.",
    "read_use_image": " It looks like a picture: use image_read.",
    "read_use_pdf": " It looks like a PDF: use pdf_read.",
    "read_too_large": "{path} has {size}; above {limit} a file is read only through a window: give offset and limit.",
    "read_window_too_large": "These lines of {path} have more than {limit} together; ask for fewer lines.",
    "read_stopped": "Reading {path} was stopped.",
    # workspace_write
    "workspace_write.description": (
        "Writes a text file of your workspace, whole: a new file, or in place of an existing one; missing directories are made. A person may have to approve it. "
        "Give path and content, or files for up to three at once. Not for changing a few lines of a long file, and not for asking what a file holds: "
        "read it first, because what is not in content is gone."
    ),
    "workspace_write.path": "File, relative to the workspace.",
    "workspace_write.content": "The whole text of the file.",
    "workspace_write.files": "Up to three files written with one approval, in place of path and content.",
    "write_half_character": "The content of {path} has half of a surrogate pair in it and cannot be written as UTF-8. Send the text again without it.",
    "write_twice": "{path} is named twice. Name each file once.",
    "write_inside_other": "{path} lies inside {other}, which is to be a file. Name other paths.",
    "write_too_long_to_replace": (
        "{path} is there already ({size}); a file of more than {limit} characters is not replaced whole. "
        "Change the passages you mean with workspace_edit."
    ),
    "write_new": "Wrote {path}: {size}, new file.",
    "write_replaced": "Wrote {path}: {size}, replaced the file that was there.",
    "write_failed": "{path} was not written: {why}. What was there before is unchanged.",
    "write_partly": "{failure} Written: {written}. Not written: {missing}.",
    "write_none": "none",
    "write_read_only": "the file is write-protected",
    "write_no_room": "the disk is full",
    "write_system": "the system refused ({why})",
    "write_summary_new": "Write {size} to {path} (new file)",
    "write_summary_replace": "Replace {path} (was {old}) with {size}",
    "write_summary_many": "Write {count} files: {parts}",
    "write_part_new": "{path} ({size}, new)",
    "write_part_replace": "{path} ({size}, was {old})",
}
