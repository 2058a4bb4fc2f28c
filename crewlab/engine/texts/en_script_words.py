"""Errors a script can catch that are our own; sent to the script's process. English."""

TEXTS: dict[str, str] = {
    "arguments": "other arguments do not fit",
    "batch_args": "element {place} (counted from 0) has more than {limit} characters of arguments",
    "batch_element": 'element {place} (counted from 0) must be {{"tool": "name", "args": {{...}}}} and hold no other key',
    "batch_form": "tools.batch takes one list of 1 to {limit} calls",
    "batch_left": "this script can make only {left} more of its {limit} calls; leave some out or split the batch",
    "call_form": "tools.{name} takes its parameters by name, or exactly one dict",
    "form": "the form of this call is {form}",
    "format_limit": "the {what} of a format may be at most {limit}",
    "indent": "indent must be None or 0 to {limit}",
    "lookup_limit": "limit must be a whole number from 1 to {limit}",
    "lookup_text": "a text of at most {limit} characters is needed",
    "lookups": "a script makes at most {limit} lookups",
    "method_form": "{name}() takes {low} to {high} positional arguments here, and only the keywords of the language",
    "needle": "the text given to {name}() may have at most {limit} characters",
    "nested": "nested more than {limit} levels",
    "no_method": "'{type}' object has no attribute '{name}'; its methods here: {methods}",
    "no_methods": "'{type}' object has no attribute '{name}'",
    "number_text": "{name}() reads a text of at most {limit} characters",
    "percent": "formatting with % is not available; use an f-string",
    "printed_marker": (
        "[the script printed {total} characters; {left} in the middle are left out. Print only what is needed, already merged or filtered]"
    ),
    "question_labels": "labels must be a list of {low} to {high} different texts of at most {limit} characters each",
    "question_size": "max_chars must be a whole number from 1 to {limit}",
    "question_text": "text must hold 1 to {limit} characters, and not only whitespace (it has {size})",
    "round_limit": "ndigits must be from -{limit} to {limit}",
    "store_key": "a key is a text of 1 to {limit} characters without broken characters",
    "store_surrogate": "the value holds a broken character (a lone surrogate)",
    "store_value": "the value has {size} characters as JSON, more than {limit}",
}
