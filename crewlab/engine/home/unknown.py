"""An unknown key, with the key that was probably meant (AGT-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel

from crewlab.engine.home.yamlfile import Loc, show_loc
from crewlab.engine.texts import Texts

ALIKE = 0.7  # difflib's measure from which a key counts as meant


def unknown_key(loc: Loc, model: type[BaseModel], elsewhere: Callable[[str], str | None], where: str, texts: Texts) -> str:
    """The sentence for the unknown key at ``loc``; ``elsewhere`` names the other file it would belong to."""
    import difflib

    name = str(loc[-1])
    other = elsewhere(name) if len(loc) == 1 else None
    if other is not None:
        return texts("home.unknown_elsewhere", where=where, key=name, file=other)
    if len(loc) == 1 and name == "home":
        return texts("home.unknown_home", where=where)
    known = sorted(_fields(model, loc))
    near = difflib.get_close_matches(name, known, n=1, cutoff=ALIKE)
    if near:
        return texts("home.unknown_near", where=where, key=show_loc(loc), near=near[0])
    return texts("home.unknown", where=where, key=show_loc(loc))


def _fields(model: type[BaseModel], loc: Loc) -> set[str]:
    """The keys that are possible where ``loc`` ends: of the mapping inside, when one is."""
    fields = set(model.model_fields)
    for part in loc[:-1]:
        inner = _inner(model, str(part))
        if inner is not None:
            model, fields = inner, set(inner.model_fields)
    return fields


def _inner(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    info = model.model_fields.get(key)
    return _first_model(info.annotation) if info is not None else None


def _first_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        found = _first_model(argument)
        if found is not None:
            return found
    return None
