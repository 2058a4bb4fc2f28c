"""The tables of the language: which node may stand where (SCR-22 to SCR-34)."""

from __future__ import annotations

import _ast

from .builtin import NAMES, TYPES
from .faults import CLASSES
from .machine import METHOD_NAMES

PLAIN_NODES = frozenset(
    {
        "Module", "Expr", "Pass", "If", "For", "While", "Break", "Continue", "Return", "Assign", "AugAssign", "AnnAssign", "FunctionDef",
        "Try", "ExceptHandler", "Raise", "Assert", "Import", "alias", "arguments", "arg", "Constant", "Name", "BoolOp", "UnaryOp", "IfExp",
        "Lambda", "BinOp", "Compare", "List", "Tuple", "Set", "Dict", "Starred", "ListComp", "SetComp", "DictComp", "GeneratorExp",
        "comprehension", "Subscript", "Slice", "JoinedStr", "FormattedValue", "Call", "Attribute", "keyword", "And", "Or", "Not", "USub",
        "UAdd", "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "BitOr", "BitAnd", "BitXor", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "In",
        "NotIn", "Is", "IsNot", "Load", "Store",
    }
)  # fmt: skip
WORDS: dict[str, str] = {  # node type: the word of its refusal
    "ImportFrom": "import", "ClassDef": "class", "Delete": "delete", "With": "with", "Global": "global", "Nonlocal": "global",
    "Match": "match", "TryStar": "try_star", "TypeAlias": "type_alias", "AsyncFunctionDef": "async", "AsyncFor": "async",
    "AsyncWith": "async", "Invert": "invert", "Pow": "power", "MatMult": "matmul", "LShift": "shift", "RShift": "shift",
    "NamedExpr": "walrus", "Await": "async", "Yield": "yield", "YieldFrom": "yield", "TemplateStr": "template",
}  # fmt: skip
NAMESPACES: dict[str, tuple[str, ...] | None] = {"tools": None, "llm": ("classify", "summarise"), "json": ("loads", "dumps")}
RESERVED = frozenset({"tools", "llm", "json", "print", "store", "load"})  # SCR-31
BUILTIN_NAMES = frozenset(NAMES)
ERROR_NAMES = frozenset(CLASSES)
TYPE_NAMES = frozenset(TYPES)
METHODS = METHOD_NAMES
SCOPES = (_ast.FunctionDef, _ast.Lambda)
COMPREHENSIONS = (_ast.ListComp, _ast.SetComp, _ast.DictComp, _ast.GeneratorExp)
