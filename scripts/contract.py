"""Write the committed contracts: ``openapi.json``, ``events.schema.json`` and the schema of the TypeScript types.

``python scripts/contract.py`` writes, ``python scripts/contract.py --check`` fails on any drift. All
three come from the pydantic models; nobody edits them by hand.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pydantic import BaseModel, TypeAdapter  # noqa: E402  (after the path)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema  # noqa: E402

from crewlab.engine import activity_events, artifacts, events, records  # noqa: E402
from crewlab.server_ext import wire  # noqa: E402
from crewlab.server_ext.api.table import ROUTES  # noqa: E402
from crewlab.server_ext.openapi import document  # noqa: E402

REF = "#/$defs/{model}"
COMPONENT = "#/components/schemas/{model}"
DIALECT = GenerateJsonSchema.schema_dialect
NAMED = {  # types that are no models but deserve a name in TypeScript
    records: [
        "Json",
        "RunStatus",
        "HaltReason",
        "StepKind",
        "StepStatus",
        "Role",
        "QueueKind",
        "ApprovalKind",
        "ApprovalStatus",
        "Tier",
        "WrittenBy",
        "CallOutcome",
    ],
    artifacts: ["ArtifactKind", "ArtifactHow"],
    events: ["ErrorCode", "ConversationEvent"],
    activity_events: ["ActivityFrame"],
    wire: ["ClientMessage", "ServerMessage"],
}
ALIASES: dict[str, Any] = {name: getattr(module, name) for module, names in NAMED.items() for name in names}


def _modules() -> list[Any]:
    """Where the models of the contract stand: the records, the events, and whatever a route reads or answers."""
    given = [each for route in ROUTES for each in (route.answer, route.body, route.query, route.headers) if each]
    named = sorted({each.__module__ for each in given} | {route.function.__module__ for route in ROUTES})
    return list(dict.fromkeys([records, artifacts, events, activity_events, wire, *(sys.modules[name] for name in named)]))


MODULES = _modules()
REQUESTS = {  # read, so that fields with a default may be left out; everything else is written whole
    *(route.body.__name__ for route in ROUTES if route.body),
    *(route.query.__name__ for route in ROUTES if route.query),
    *(route.headers.__name__ for route in ROUTES if route.headers),
    *(message.__name__ for message in (wire.Subscribe, wire.Unsubscribe, wire.Pong)),
}
OPTIONAL = {  # fields that are left out of an answer when there is nothing to say
    "NestedCall": {"gated", "child_spent_usd"},  # TURN-42
    "ConversationFrame": {"conversation", "id", "deleted"},  # TURN-93
    "ArtifactFrame": {"artifact", "id", "deleted"},  # TURN-93
}


def models_of(*modules: Any) -> list[type[BaseModel]]:
    """The public models defined in ``modules``, in the order of their source."""
    found = [
        item
        for module in modules
        for _, item in inspect.getmembers(module, inspect.isclass)
        if issubclass(item, BaseModel) and item.__module__ == module.__name__ and item is not records.Record
    ]
    return sorted(found, key=lambda item: item.__name__)


def clean(node: Any) -> Any:
    """``node`` without titles of fields and without defaults (they would become types of their own in TypeScript)."""
    if isinstance(node, list):
        return [clean(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if key not in ("title", "default") or not isinstance(value, str | int | float | None)}
    return {key: _named(value) if key in ("properties", "$defs") else clean(value) for key, value in kept.items()}


def _named(members: dict[str, Any]) -> dict[str, Any]:
    return {name: clean(value) for name, value in members.items()}


def _whole(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What is written carries every field, also those that have a default when read."""
    written = [field for field in schema.get("properties", {}) if field not in OPTIONAL.get(name, set())]
    return {**schema, "required": written} if written else schema


def definitions(listed: list[type[BaseModel]], aliases: dict[str, Any], ref: str = REF) -> dict[str, Any]:
    """One ``$defs`` with a titled definition per model and alias; requests as they are read, all else as it is written."""
    modes: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (model, "validation" if model.__name__ in REQUESTS else "serialization") for model in listed
    ]
    _, schema = models_json_schema(modes, ref_template=ref)
    found: dict[str, Any] = {name: one if name in REQUESTS else _whole(name, one) for name, one in schema["$defs"].items()}
    for name, alias in aliases.items():
        one = TypeAdapter(alias).json_schema(ref_template=ref, mode="serialization")
        one.pop("$defs", None)
        found[name] = one
    return {name: {"title": name, **clean(found[name])} for name in sorted(found)}


def one_schema(title: str, defs: dict[str, Any], roots: list[str]) -> dict[str, Any]:
    """A schema that reaches every one of ``roots`` and carries ``defs``."""
    properties = {name: {"$ref": REF.format(model=name)} for name in roots}
    return {"$schema": DIALECT, "title": title, "type": "object", "properties": properties, "additionalProperties": False, "$defs": defs}


def event_schema() -> dict[str, Any]:
    """Every event and frame with its fields: the one file of TURN-6."""
    names = ("ConversationEvent", "ActivityFrame")
    defs = definitions(models_of(records, artifacts, events, activity_events), {name: ALIASES[name] for name in names})
    return one_schema("Events", defs, list(names))


def contract_schema() -> dict[str, Any]:
    """Everything a face needs to know, as named definitions for json-schema-to-typescript."""
    defs = definitions(models_of(*MODULES), ALIASES)
    return one_schema("Contract", defs, sorted(defs))


def openapi() -> dict[str, Any]:
    """The HTTP API as OpenAPI 3.1."""
    components = definitions(models_of(*MODULES), ALIASES, COMPONENT)
    return document(ROUTES, components)


def documents() -> dict[Path, dict[str, Any]]:
    """Each generated file with its content."""
    return {
        ROOT / "docs/reference/openapi.json": openapi(),
        ROOT / "docs/reference/events.schema.json": event_schema(),
        ROOT / "labextension/schema/contract.json": contract_schema(),
    }


def text_of(document: dict[str, Any]) -> str:
    """The text of a generated file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` name those that differ."""
    texts = {path: text_of(document) for path, document in documents().items()}
    stale = [(path, text) for path, text in texts.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(("differs: " if "--check" in arguments else "written: ") + str(path.relative_to(ROOT)))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
