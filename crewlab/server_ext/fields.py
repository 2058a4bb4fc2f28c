"""What is wrong with one field of a request, in the language of the crew (TURN-8). What was sent is not repeated."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from crewlab.engine.errors import Invalid
from crewlab.engine.texts import Texts

PROBLEMS: dict[str, str] = {  # the words for a kind of error of pydantic
    "missing": "missing",
    "extra_forbidden": "unknown",
    "string_type": "text",
    "string_unicode": "half",
    "string_too_short": "short",
    "string_too_long": "long",
    "string_pattern_mismatch": "form",
    "bool_type": "switch",
    "bool_parsing": "switch",
    "int_type": "whole",
    "int_parsing": "whole",
    "int_from_float": "whole",
    "float_type": "number",
    "float_parsing": "number",
    "finite_number": "number",
    "list_type": "list",
    "dict_type": "object",
    "model_type": "object",
    "model_attributes_type": "object",
    "greater_than_equal": "least",
    "less_than_equal": "most",
    "literal_error": "choice",
    "enum": "choice",
}
LIMITS = ("ge", "le", "min_length", "max_length")


def invalid(error: ValidationError, texts: Texts) -> Invalid:
    """The first problem of ``error`` as an answer that names the field and what to write there."""
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "body"
    return Invalid(texts("http.invalid", field=field, problem=_problem(first["type"], first.get("ctx", {}), texts)), field=field)


def _problem(kind: str, context: Mapping[str, object], texts: Texts) -> str:
    limit = next((context[name] for name in LIMITS if name in context), "")
    key = PROBLEMS.get(kind, "other")
    return texts(f"http.problem_{key}", limit=limit, choices=context.get("expected", ""), form=context.get("pattern", ""))
