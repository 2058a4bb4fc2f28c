"""Changing, searching and deleting files of the workspace. English."""

TEXTS: dict[str, str] = {
    "search_path": "Directory to search in, relative to the workspace; without it, the whole workspace.",
    # workspace_edit
    "workspace_edit.description": (
        "Replaces one exact passage of a text file of your workspace; a person may have to approve it. Copy old word for word from workspace_read, "
        "with enough lines around it to be the only such passage. Not for new files and not for rewriting a file: workspace_write does that."
    ),
    "workspace_edit.old": "The passage as it stands in the file, with its white space.",
    "workspace_edit.new": "What stands there afterwards; empty removes the passage.",
    "workspace_edit.replace_all": "Replace every such passage; without it the passage must be the only one.",
    "edit_empty": "old is empty. Copy the passage that is to be replaced from the file.",
    "edit_same": "old and new are the same; nothing would change.",
    "edit_absent": "The passage is 0 times in {path}; nothing was changed. Read the file again and copy the passage word for word, with its white space.",
    "edit_repeated": (
        "The passage is {count} times in {path} (lines {lines}); nothing was changed. Take in more lines around the one you mean, or give replace_all."
    ),
    "edit_large": "{path} has {size}; at most {limit} can be edited. Use a command on it.",
    "edit_done": "Changed {path}: {count} passage(s) replaced; ",
    "edit_more": "[… {count} more lines of the comparison left out]",
    "edit_no_diff": "[the change is too large to be shown]",
    # workspace_grep
    "workspace_grep.description": (
        "Finds the lines of text files in your workspace that fit a regular expression (pattern), or hold one of up to five strings; answers path, "
        "line number and text, at most {limit}. Use it to find where something is; then read there. Not for finding files by name: workspace_glob does that."
    ),
    "workspace_grep.pattern": "Regular expression, compared with each line.",
    "workspace_grep.strings": "One to five strings, taken literally and without regard to case, in place of pattern; results come by string.",
    "workspace_grep.glob": "Only files like this: *.py (at any depth) or data/**/*.csv.",
    "workspace_grep.ignore_case": "Compare pattern without regard to case.",
    "workspace_grep.context": "Lines shown before and after each hit, 0 to 3.",
    "grep_head": "{count} result(s) in {path}; ",
    "grep_none": "No result in {path} for {pattern}.",
    "grep_string": "{string}: {count} result(s)",
    "grep_more": "[more than {limit} results; these are the first. Ask more narrowly.]",
    "grep_late": "[stopped after {seconds} seconds; these are the results until then. Ask more narrowly.]",
    "grep_pattern": "{pattern} is no regular expression: {why}. For a text as it stands use strings.",
    "grep_pattern_at": "{pattern} is no regular expression: {why} at position {position}. For a text as it stands use strings.",
    # workspace_glob
    "workspace_glob.description": (
        "Lists the files of your workspace whose path fits a pattern, at most {limit}, sorted. * and ? stay within a name, ** stands for any "
        "directories: **/*.py finds Python files anywhere. Not for looking into files: workspace_grep does that."
    ),
    "workspace_glob.pattern": "Pattern of the path, relative to the searched directory: *.md, **/*.csv, src/**/test_*.py.",
    "glob_head": "{count} file(s) like {pattern} in {path}; ",
    "glob_none": "No file in {path} is like {pattern}.",
    "glob_more": "[more than {limit} files; these are the first. Ask more narrowly.]",
    "glob_outside": "The pattern {pattern} is absolute, empty or has .. in it. Write one relative to the searched directory, such as **/*.py.",
    "glob_long": "The pattern {pattern} is too long or has too many alternatives.",
    # workspace_delete
    "workspace_delete.description": (
        "Deletes one file of your workspace; a person may have to approve it. What is deleted is gone. Not for directories, and not for emptying a "
        "file: workspace_write does that."
    ),
    "workspace_delete.path": "File, relative to the workspace.",
    "delete_git": "{path} lies under .git and is not deleted. Use git for that.",
    "delete_link": "{path} is a link and is not deleted. Name the file itself.",
    "delete_summary": "Delete {path} ({size}, last changed {changed})",
    "delete_done": "Deleted {path} ({size}).",
}
