# ruff: noqa: E501
"""Programs that are mostly wrong: pieces of Python put together by chance. Nothing of them may get past the check that Python's compiler rejects."""

from __future__ import annotations

import random

EXPRESSIONS = (
    "x", "*x", "1", "'s'", "[x, y]", "(x, *y)", "{x: y}", "{x, 1}", "{**x}", "[q for q in x]", "[q for *q in x]", "[q for q, *r, *t in x]", "{q: 1 for q in x}",
    "(q for q in x)", "lambda q: q", "lambda q, q: q", "lambda *, q: q", "lambda *q, **r: q", "x[0]", "x[1:2]", "x[*x]", "x[1:2, 3]", "f(x)", "f(*x)", "f(**x)",
    "f(a=1, a=2)", "f(x for x in y)", "x.append(1)", "x.real", "f'{x}'", "f'{x!r:>{y}}'", "f'{x!a}'", "f'{*x,}'", "not x", "-x", "~x", "x if y else 1", "x and y",
    "x < y < 1", "x is None", "x is y", "x in y", "1 < 2 is x", "print", "json", "json.loads(x)", "tools.t(a=1)", "llm.classify(x, y)", "ValueError", "ValueError(x)",
    "isinstance(x, int)", "isinstance(x, (int, ValueError))", "isinstance(x, [int])", "isinstance", "...", "b'x'", "1j", "x @ y", "x ** y", "x << 1", "(yield)",
    "await x", "(q := 1)", "None", "__x", "x.__y()", "sorted(x, key=f)", "dict(x, a=1)", "x, y", "*x, y", "*x,", "()", "{}", "(lambda: x)()", "[f][0](x)",
)  # fmt: skip
TARGETS = (
    "x", "y", "x, y", "[x, y]", "x, *y", "*x, *y", "*x", "*x,", "x[0]", "x[1:2]", "x.y", "(x)", "((x, y), z)", "f()", "x, (y, *z)", "__x", "print", "json", "1", "None",
    "x if y else z", "[]", "()", "[*x]",
)  # fmt: skip
HANDLERS = (
    "", "ValueError", "(ValueError, KeyError)", "ValueError as e", "json.JSONDecodeError", "x", "(ValueError, x)", "1", "ValueError as print", "KeyError as __e", "int",
    "[ValueError]", "ValueError()", "()", "KeyError as x",
)  # fmt: skip
PARAMETERS = (
    "", "q", "q, r", "q, q", "q=1", "q=1, r", "*q", "**q", "*, q", "*, q=1, r", "q, /", "q, *q", "*", "q: int", "q, *r, s=1, **t", "__q", "json", "*r, *q", "**q, r",
)  # fmt: skip
SIMPLE = (
    "break", "continue", "return", "pass", "raise", "raise ValueError", "raise ValueError(1)", "raise x", "raise x from y", "import json", "import os", "from json import loads",
    "global x", "nonlocal x", "del x", "import json as j", "x: int", "x: int = *y",
)  # fmt: skip
SIGNS = ("+=", "-=", "*=", "/=", "//=", "%=", "|=", "&=", "^=", "**=", "@=", "<<=")
COMPOUND = 9


class Soup:
    """One program; the same number gives the same one."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        self.lines = ["x = y = [1]", "def f(*a, **b):", "  return 1"]
        for _ in range(self.chance.randint(1, 3)):
            self.statement(0)

    @property
    def source(self) -> str:
        return "\n".join(self.lines) + "\n"

    def put(self, indent: int, text: str) -> None:
        self.lines.append("  " * indent + text)

    def block(self, indent: int) -> None:
        for _ in range(self.chance.randint(1, 2)):
            self.statement(indent)

    def statement(self, indent: int) -> None:
        kind = self.chance.randint(0, 22)
        if kind < COMPOUND and indent < 4:
            self.compound(kind, indent)
        else:
            self.put(indent, self.simple(kind))

    def simple(self, kind: int) -> str:
        value, target = self.chance.choice(EXPRESSIONS), self.chance.choice(TARGETS)
        if kind <= 13:
            return f"{target} = {value}"
        if kind == 14:
            return f"{target} {self.chance.choice(SIGNS)} {value}"
        if kind <= 17:
            return self.chance.choice(SIMPLE)
        if kind == 18:
            return self.chance.choice((f"raise {value}", f"return {value}", f"assert {value}", f"assert x, {value}"))
        return value

    def compound(self, kind: int, indent: int) -> None:
        heads = (
            f"if {self.chance.choice(EXPRESSIONS)}:", f"for {self.chance.choice(TARGETS)} in {self.chance.choice(EXPRESSIONS)}:",
            f"while {self.chance.choice(EXPRESSIONS)}:", "try:", "try:", f"def {self.chance.choice('fgf')}({self.chance.choice(PARAMETERS)}):",
            f"def g({self.chance.choice(PARAMETERS)}):", self.chance.choice(("with x as y:", "class A:", "async def f():", "match x:")), "try:",
        )  # fmt: skip
        self.put(indent, heads[kind])
        self.block(indent + 1)
        handlers = self.chance.randint(0, 2) if heads[kind] == "try:" else 0
        for _ in range(handlers):
            self.put(indent, f"except {self.chance.choice(HANDLERS)}:")
            self.block(indent + 1)
        if kind < 3 and self.chance.random() < 0.3:
            self.put(indent, "else:")
            self.block(indent + 1)
        if heads[kind] == "try:" and (not handlers or self.chance.random() < 0.4):
            self.put(indent, "finally:")
            self.block(indent + 1)
