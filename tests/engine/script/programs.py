# ruff: noqa: E501
"""Programs of the language, made from bytes: hypothesis gives and shrinks the bytes, CPython says what the program does."""

from __future__ import annotations

import contextlib
import io
import json
import traceback
import warnings
from dataclasses import dataclass
from typing import Any

NAMES = {"int": ("i", "j", "k"), "str": ("s", "t"), "list": ("xs", "ys"), "dict": ("d", "e"), "any": ("v", "w")}
INTS = ("0", "1", "2", "3", "7", "10", "-1", "-5", "255", "1000003")
TEXTS = ("''", "'a'", "'ab,c'", "'Status=Open'", "' x y '", "'é ß'", "'12'", "'a\\nb'", "'aXbXa'", "'%'")
JSON = ("'[1, 2.5, null]'", "'{\"a\": [true, {}]}'", "'[1,]'", "'\"x\"'", "' 7 '", "'NaN'", "'{\"a\" 1}'", "'[1] 2'", "'01'", "s")
ERRORS = ("ValueError", "KeyError", "IndexError", "TypeError", "ZeroDivisionError", "LookupError", "ArithmeticError", "Exception",
          "RuntimeError", "AttributeError", "NameError", "AssertionError")  # fmt: skip


class Program:
    """Reads choices from bytes until they end; then every choice is the first."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.functions = 0
        self.depth = 0
        self.lines: list[str] = []

    def choose(self, options: int) -> int:
        if self.at >= len(self.data):
            return 0
        self.at += 1
        return self.data[self.at - 1] % options

    def pick(self, options: tuple[str, ...]) -> str:
        return options[self.choose(len(options))]

    def source(self) -> str:
        for kind, names in NAMES.items():
            start = {"int": "3", "str": "'ab'", "list": "[1, 2, 3]", "dict": "{'a': 1}", "any": "None"}[kind]
            self.lines += [f"{name} = {start}" for name in names]
        while self.at < len(self.data):
            self.statement(0)
        self.lines.append("print(" + ", ".join(name for names in NAMES.values() for name in names) + ")")
        return "\n".join(self.lines) + "\n"

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int) -> None:
        for _ in range(1 + self.choose(3)):
            self.statement(indent)

    def kind(self) -> str:
        return self.pick(("int", "str", "list", "dict", "any"))

    # statements

    def statement(self, indent: int) -> None:
        makers = (
            self.assign,
            self.show,
            self.change,
            self.branch,
            self.loop,
            self.guard,
            self.function,
            self.unpack,
            self.mutate,
            self.fail,
        )
        compound = (self.branch, self.loop, self.guard, self.function)
        make = makers[self.choose(len(makers))]
        if indent >= 3 and make in compound:
            make = self.show
        make(indent)

    def assign(self, indent: int) -> None:
        kind = self.kind()
        if self.choose(5) == 4:
            self.spread(indent)
            return
        self.put(indent, f"{self.pick(NAMES[kind])} = {self.value(kind)}")

    def spread(self, indent: int) -> None:
        """One statement over several lines: an error has the line of the innermost expression."""
        kind = self.pick(("list", "any", "int"))
        first, second = self.value(kind), self.value(kind)
        sign = self.pick(("+", "-", ",", "if i else", "and"))
        parts = (f"{self.pick(NAMES['any'])} = [", f"    {first}", f"    {sign} {second}" if sign != "," else f"    , {second}", "]")
        for part in parts:
            self.put(indent, part)

    def show(self, indent: int) -> None:
        end = ("", "", ", end='|'", ", sep='-'")[self.choose(4)]
        self.put(indent, f"print({self.value(self.kind())}, {self.value(self.kind())}{end})")

    def change(self, indent: int) -> None:
        kind = self.pick(("int", "str", "list", "any"))
        sign = self.pick(("+=", "-=", "*=", "//=", "|=", "&=", "^=")) if kind in ("int", "any") else "+="
        self.put(indent, f"{self.pick(NAMES[kind])} {sign} {self.value(kind)}")

    def branch(self, indent: int) -> None:
        self.put(indent, f"if {self.test()}:")
        self.block(indent + 1)
        if self.choose(2):
            self.put(indent, f"elif {self.test()}:")
            self.block(indent + 1)
        if self.choose(2):
            self.put(indent, "else:")
            self.block(indent + 1)

    def loop(self, indent: int) -> None:
        name = f"n{indent}"
        if self.choose(2):
            self.put(indent, f"for {name} in {self.rows()}:")
        else:
            self.put(indent, f"{name} = 0")
            self.put(indent, f"while {name} < {1 + self.choose(5)}:")
            self.put(indent + 1, f"{name} += 1")
        self.put(indent + 1, f"v = {name}")
        self.block(indent + 1)
        leave = self.choose(4)
        if leave:
            self.put(indent + 1, f"if {self.test()}:")
            self.put(indent + 2, "break" if leave == 1 else "continue")
        if self.choose(3) == 1:
            self.put(indent, "else:")
            self.block(indent + 1)

    def guard(self, indent: int) -> None:
        self.put(indent, "try:")
        self.block(indent + 1)
        for place in range(1 + self.choose(2)):
            error = self.pick(ERRORS)
            self.put(
                indent, f"except {error} as err:" if self.choose(2) else f"except ({error}, KeyError):" if place else f"except {error}:"
            )
            self.put(indent + 1, f"print('caught {error}')")
            if self.choose(8) == 1:
                self.put(indent + 1, "raise")
            self.block(indent + 1)
        if self.choose(3) == 1:
            self.put(indent, "else:")
            self.block(indent + 1)
        if self.choose(3) == 1:
            self.put(indent, "finally:")
            self.put(indent + 1, "print('finally')")

    def function(self, indent: int) -> None:
        name = f"f{self.functions}"
        self.functions += 1
        params = self.pick(("a", "a, b=2", "a, *rest", "a, *, b=3", "a, b=1, **more"))
        self.put(indent, f"def {name}({params}):")
        if self.choose(3) == 1:
            self.put(indent + 1, f"{self.pick(('i', 's', 'xs'))} = a")
        self.put(indent + 1, "print('in', a)")
        if self.choose(2):
            self.block(indent + 1)
        self.put(indent + 1, f"return {self.value('any')}")
        args = self.pick(("1", "1, 2", "'x'", "1, b=5", "", "*xs", "1, 2, 3", "**d"))
        self.put(indent, f"v = {name}({args})")

    def unpack(self, indent: int) -> None:
        target = self.pick(("i, j", "i, *xs", "[i, (j, k)]", "*xs, i", "d['p'], i", "xs[0], i"))
        self.put(indent, f"{target} = {self.value(self.pick(('list', 'str', 'any')))}")

    def mutate(self, indent: int) -> None:
        number, text = self.value("int"), self.value("str")
        options = (
            f"xs.append({number})", f"xs.extend({self.rows()})", f"xs.insert({number}, {text})", f"v = xs.pop({number})",
            f"xs.remove({number})", "xs.reverse()", "xs.sort()", "xs.sort(key=lambda q: str(q), reverse=True)", f"d[{text}] = {number}",
            f"xs[{number}] = {text}", f"d.update({self.value('dict')})", f"v = d.pop({text})", f"v = d.setdefault({text}, {number})",
            "v = d.popitem()", "ys = xs.copy()", "xs.clear()", f"d[{text}] += {number}",
        )  # fmt: skip
        self.put(indent, options[self.choose(len(options))])

    def fail(self, indent: int) -> None:
        options = (
            f"assert {self.test()}, {self.value('str')}", f"raise {self.pick(ERRORS)}({self.value('str')})", f"raise {self.pick(ERRORS)}",
            f"v = 1 // {self.value('int')}", "v = {}['gone']", "v = missing_name if i > 1000000 else 0", f"v = xs[{self.value('int')}]",
            f"v = int({self.value('str')})",
        )  # fmt: skip
        text = options[self.choose(len(options))]
        self.put(indent, text.replace("missing_name", "v"))

    # expressions

    def value(self, kind: str) -> str:
        self.depth += 1
        try:
            if self.depth > 4:
                return self.pick(NAMES[kind])
            return {"int": self.number, "str": self.text, "list": self.rows, "dict": self.pairs, "any": self.anything}[kind]()
        finally:
            self.depth -= 1

    def number(self) -> str:
        what = self.choose(23)
        if what < 3:
            return self.pick(INTS)
        if what < 6:
            return self.pick(NAMES["int"])
        if what < 9:
            sign = self.pick(("+", "-", "*", "//", "%", "&", "|", "^"))
            left = self.pick(INTS) if sign == "%" else self.value("int")  # text on the left of % is the language's own error (SCR-43)
            return f"({left} {sign} {self.value('int')})"
        return (
            f"len({self.value(self.pick(('str', 'list', 'dict')))})", f"sum([{self.value('int')} for q in {self.value('list')}])",
            f"max({self.value('int')}, {self.value('int')})", f"abs({self.value('int')})", f"round({self.value('int')} / 7, {self.choose(4)})",
            f"{self.value('str')}.{self.pick(('find', 'count', 'index', 'rfind'))}({self.value('str')}{self.pick(('', ', 1', ', 0, -1', ', i'))})",
            f"{self.value('list')}.{self.pick(('index', 'count'))}({self.value('any')})", f"int({self.value('any')})", f"-{self.value('int')}",
            f"min({self.value('list')}, key=lambda q: {self.pick(('str(q)', 'len(str(q))', 'q'))}, default=i)", f"sum({self.value('list')}, {self.value('int')})",
            f"(lambda a, b=j, *c, d=1, **e: a + b + d + len(c) + len(e))({self.arguments()})", f"round({self.value('int')}, -1)",
            f"int({self.value('str')}, {self.pick(('0', '2', '16', '37'))})",
        )[what - 9]  # fmt: skip

    def text(self) -> str:
        what = self.choose(16)
        if what < 3:
            return self.pick(TEXTS)
        if what < 5:
            return self.pick(NAMES["str"])
        if what == 5:
            return f"str({self.value('any')})"
        if what == 6:
            spec = self.pick(("", "!r", ":>6", ":05d", ":.2f", ":<4", ":x", ":,", "!s:^7", ":+", ":e", ":%"))
            inner = self.value(self.pick(("int", "str", "any"))).replace('"', "'").replace("\\", "")
            return 'f"{' + inner + spec + '}"' if self.depth > 2 else self.pick(TEXTS)
        if what == 7:
            return f"({self.value('str')} + {self.value('str')})"
        if what == 8:
            return f"{self.value('str')}[{self.slice()}]"
        if what == 9:
            return (
                f"json.dumps({self.value('any')}{self.pick(('', ', indent=1', ', ensure_ascii=False', ', sort_keys=True', ', indent=0'))})"
            )
        if what == 10:
            return f"({self.value('str')} * {self.pick(('0', '2', '-1', '3', 'i'))})"
        if what == 11:
            return f"repr({self.value('any')})"
        return f"{self.value('str')}.{self.text_method()}"

    def arguments(self) -> str:
        return self.pick(("1", "1, 2", "1, 2, 3", "a=1", "1, d=2", "", "*xs", "1, *xs", "**d", "1, z=3", "1, a=2", "i, *ys, **e"))

    def slice(self) -> str:
        return self.pick(("0", "-1", "1:", ":2", "::2", "::-1", "1:-1", "5", "i:j"))

    def text_method(self) -> str:
        return self.pick(
            (
                "upper()", "lower()", "strip()", "title()", "replace('a', 'bb')", "center(9, '*')", "zfill(6)", "rjust(5)", "capitalize()",
                "swapcase()", "lstrip('a ')", "removeprefix('a')", "join(['1', '2'])", "join(xs)", "ljust(4)", "casefold()", "rstrip('\\n')",
                "replace('', '-', 2)", "replace('b', '', i)", "join(sorted(d))", "removesuffix('b')", "strip('abX')", "lstrip()", "center(i)",
            )
        )  # fmt: skip

    def rows(self) -> str:
        what = self.choose(26)
        if what < 4:
            return self.pick(NAMES["list"])
        simple = (
            "[]", "[3, 1, 2]", f"[{self.value('int')}, {self.value('any')}]", f"list(range({self.choose(6)}))",
            f"[q for q in {self.value('list')} if q]", f"[(q, {self.value('int')}) for q in {self.value('str')}]",
            f"sorted({self.value('list')})", f"list({self.value('dict')}.items())", f"{self.value('str')}.split({self.pick(('', repr(','), repr('a')))})",
            f"{self.value('list')}[{self.pick(('1:', ':2', '::-1', '1:5:2'))}]", f"list(enumerate({self.value('list')}, {self.pick(INTS)}))",
            f"list(zip({self.value('list')}, {self.value('str')}{self.pick(('', ', strict=True', ', [1, 2]'))}))", f"list({self.value('dict')})",
            f"list(reversed({self.value('list')}))", f"{self.value('str')}.{self.pick(('split', 'rsplit'))}({self.pick(('None, ', 'sep=None, maxsplit=', repr(',') + ', ', 's, '))}{self.pick(INTS)})",
            f"{self.value('str')}.splitlines({self.pick(('', 'True'))})", f"list({self.value('str')}.{self.pick(('partition', 'rpartition'))}({self.value('str')}))",
            f"[*{self.value('list')}, *{self.value('str')}]", f"({self.value('list')} + {self.value('list')})", f"({self.value('list')} * {self.choose(3)})",
            f"sorted({self.value('list')}, key=lambda q: {self.pick(('str(q)', '-q', 'repr(q)[::-1]', '(len(str(q)), str(q))'))}, reverse={self.test()})",
            f"[p + q for p in {self.value('list')} for q in {self.value('list')} if p != q][:9]",
        )  # fmt: skip
        return simple[what - 4]

    def pairs(self) -> str:
        what = self.choose(9)
        if what < 2:
            return self.pick(NAMES["dict"])
        return (
            f"{{'a': {self.value('int')}, {self.value('str')}: {self.value('any')}}}", f"{{q: len(str(q)) for q in {self.value('list')}}}",
            f"{{**{self.value('dict')}, 'z': 1}}", f"dict(zip({self.value('str')}, {self.value('list')}))",
            f"({self.value('dict')} | {self.value('dict')})", f"dict({self.value('any')}, k={self.value('int')})", f"dict(sorted({self.value('dict')}.items()))",
        )[what - 2]  # fmt: skip

    def anything(self) -> str:
        what = self.choose(24)
        if what < 4:
            return self.value(("int", "str", "list", "dict")[what])
        return (
            "None", "True", "2.5", f"({self.value('any')} if {self.test()} else {self.value('any')})", self.pick(NAMES["any"]),
            f"({self.value('int')}, {self.value('str')})", f"{self.value('dict')}.get({self.value('str')})",
            f"({self.value('any')} {self.pick(('and', 'or'))} {self.value('any')})", f"(lambda q: [q, {self.value('any')}])({self.value('int')})",
            f"sorted(list(set({self.value('list')})), key=lambda q: repr(q))", f"float({self.value('str')})", f"({self.value('int')} / {self.value('int')})",
            f"tuple({self.value('any')})", f"json.loads({self.pick(JSON)})", f"json.loads(json.dumps({self.value('any')}))", f"({self.value('any')}, *{self.value('list')})[{self.slice()}]",
            f"sorted({{*{self.value('list')}}} {self.pick('|&-^')} {{*{self.value('str')}, {self.value('int')}}}, key=repr)", f"{self.value('list')}[{self.value('int')}]",
            f"{self.value('dict')}[{self.value('str')}]", f"({self.value('any')} {self.pick(('+', '*', '-', '//', '/', '|', '<', 'in'))} {self.value('any')})",
        )[what - 4]  # fmt: skip

    def test(self) -> str:
        what = self.choose(9)
        kind = self.pick(("int", "str", "any", "list"))
        if what < 4:
            return f"{self.value(kind)} {self.pick(('==', '!=', '<', '<=', '>', '>='))} {self.value(kind)}"
        return (
            f"{self.value('str')} in {self.value(self.pick(('str', 'dict', 'list')))}", f"not {self.value('any')}",
            f"{self.value('any')} is None", f"isinstance({self.value('any')}, (int, str))",
            f"{self.value('int')} < {self.value('int')} <= {self.value('int')}",
        )[what - 4]  # fmt: skip


@dataclass(frozen=True)
class Said:
    """What CPython did: the output, the class of the uncaught error and its line (0 for none)."""

    output: str
    error: str
    line: int


def oracle(source: str) -> Said:
    """Run ``source`` in CPython."""
    out = io.StringIO()
    error, line = "", 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(source, "<oracle>", "exec")
    with contextlib.redirect_stdout(out):
        try:
            exec(code, {"json": json})
        except Exception as raised:
            error, line = class_of(raised), last_line(raised)
    return Said(out.getvalue().removesuffix("\n"), error, line)


def last_line(raised: BaseException) -> int:
    """The innermost line of the program itself, not of the library it called."""
    return next((frame.lineno or 0 for frame in reversed(traceback.extract_tb(raised.__traceback__)) if frame.filename == "<oracle>"), 0)


def class_of(raised: BaseException) -> str:
    """The class the language knows: a local name without a value is a ``NameError`` (SCR-244), a bad JSON text a ``ValueError``."""
    known: tuple[Any, ...] = (UnboundLocalError, json.JSONDecodeError, UnicodeError)
    return type(raised).__mro__[1].__name__ if isinstance(raised, known) else type(raised).__name__
