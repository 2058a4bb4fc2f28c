# ruff: noqa: E501
"""Ways out of Python sandboxes, told again in our own words: the kinds published for smolagents, RestrictedPython, asteval, n8n and pyjail
challenges, and bombs. ``ESCAPES`` try to reach something; ``BOMBS`` try to outlive or outgrow a limit."""

from __future__ import annotations

FILE = "/etc/passwd"

# Walks from a harmless value to the classes of the process.
_ROOTS = (
    "()",
    "''",
    "[]",
    "{}",
    "0",
    "1.5",
    "True",
    "None",
    "print",
    "len",
    "(lambda: 0)",
    "range(3)",
    "{1}",
    "f'{1}'",
    "[q for q in 'a']",
)
_STEPS = (
    "__class__", "__class__.__base__", "__class__.__mro__[1]", "__class__.__bases__[0].__subclasses__()", "__doc__", "__init__.__globals__",
    "__reduce_ex__(2)", "__getattribute__('__class__')", "__dir__()", "__sizeof__()",
)  # fmt: skip
_WALKS = [f"print({root}.{step})" for root in _ROOTS for step in _STEPS[:6]]

# Attributes of functions, frames, generators, errors and code.
_FUNCTION = (
    "func_globals",
    "__globals__",
    "__code__",
    "__closure__",
    "__defaults__",
    "__builtins__",
    "__self__",
    "__wrapped__",
    "__module__",
)
_FRAMES = [
    *(f"def f():\n    return 1\nprint(f.{name})" for name in _FUNCTION),
    *(f"g = (q for q in [1])\nprint(g.{name})" for name in ("gi_frame", "gi_code", "gi_frame.f_back.f_globals", "gi_yieldfrom", "send(None)", "throw(1)")),
    *(f"try:\n    1 / 0\nexcept Exception as e:\n    print(e.{name})" for name in (
        "__traceback__", "__traceback__.tb_frame.f_globals", "__context__", "__cause__", "args", "with_traceback(None)", "add_note('x')", "obj", "name")),
    "try:\n    ().missing\nexcept AttributeError as e:\n    print(e.obj.__class__)",
    "async def f():\n    pass\nprint(f().cr_frame)",
    "def f():\n    yield 1\nprint(f().gi_frame.f_builtins)",
    "async def f():\n    yield 1\nprint(f().ag_frame)",
]  # fmt: skip

# Names that would open the door.
_NAMES = [
    f"print({call})"
    for call in (
        f"open({FILE!r}).read()", "eval('1')", "exec('x = 1')", "compile('1', '', 'eval')", "__import__('os').system('id')", "globals()", "locals()",
        "vars()", "dir()", "getattr((), '__class__')", "setattr(print, 'x', 1)", "delattr(print, 'x')", "hasattr(1, 'real')", "type(1)", "type('X', (), {})",
        "object()", "super()", "input()", "breakpoint()", "help()", "memoryview(b'')", "bytes(3)", "bytearray(3)", "id(1)", "hash('a')", "iter([])",
        "next([])", "map(str, [1])", "filter(None, [1])", "callable(1)", "classmethod(1)", "staticmethod(1)", "property()", "issubclass(1, 2)",
        "frozenset()", "complex(1)", "chr(95)", "ord('a')", "bin(1)", "hex(1)", "oct(1)", "ascii('é')", "format(1, 'x')", "pow(2, 9)", "divmod(3, 2)",
        "__builtins__", "__name__", "__file__", "__loader__", "__spec__", "__build_class__", "quit()", "exit()", "copyright", "license", "credits",
        "os.environ", "sys.modules", "subprocess.run(['id'])", "socket.socket()", "importlib.import_module('os')", "ctypes.CDLL(None)", "_", "self",
        "BaseException", "SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration", "OSError", "ImportError", "Warning", "NotImplemented", "Ellipsis",
    )
]  # fmt: skip

# Templates that read attributes.
_TEMPLATES = [
    "print('{0.__class__}'.format(1))", "print('{0.__class__.__init__.__globals__}'.format(print))", "print('{x}'.format_map({'x': 1}))",
    "f = 'a'.format\nprint(f)", "print('%(a)s' % {'a': 1})", "print('%s' % (1,))", "print(str.format('{0.real}', 1))", "print('a'.__mod__(1))",
    "print(f'{1:{\"__class__\"}}')", "print(f'{print!a}')", "print(f\"{''.__class__}\")", "print(f'{(lambda: 1).__globals__}')",
    "print(f'{[].__class__.__base__.__subclasses__()}')", "print('a'.translate({97: 98}))", "print(str.maketrans('a', 'b'))",
    "print(f'{1:{().__class__}}')", "x = 'format'\nprint('{0.real}'.x(1))",
]  # fmt: skip

# Statements that are not in the language, each a known way in.
_STATEMENTS = [
    "import os", "import os.path", "import json as j", "import json, os", "from os import system", "from . import x", "from json import *", "import sys as s",
    "class A:\n    pass", "class A(metaclass=print):\n    x = 1", "class E(Exception):\n    pass\nraise E", "@print\ndef f():\n    pass", "@exec\n@input\nclass X:\n    pass",
    "with open('x') as f:\n    pass", f"with open({FILE!r}) as f:\n    print(f)", "global x\nx = 1", "def f():\n    nonlocal x\n    x = 1", "del print",
    "x = [1]\ndel x[0]", "match 1:\n    case int():\n        pass", "match {}:\n    case object(__class__=c):\n        print(c)", "try:\n    pass\nexcept* ValueError:\n    pass",
    "(x := 1)", "print([y := 1, y])", "x = ...", "x = b'abc'", "x = 1j", "print(2 ** 10)", "x = 2\nx **= 1000000", "print(1 << 100000000)", "x = 1\nx <<= 99999999", "print(~1)", "print([1] @ [2])",
    "def f(a, /):\n    pass", "x = [1, 2]\nx[0:1] = [3]", "print([1][0:1, 2])", "async def f():\n    await g()", "def f():\n    yield 1", "def f():\n    yield from [1]",
    "x.y = 1", "print.x = 1", "x = 1\nx.real = 2", "for x.y in [1]:\n    pass", "[0 for x.y in [1]]", "x = [1]\n(x.y, z) = 1, 2", "with 1 as x:\n    pass",
    "lambda: (yield)", "print(*[1 for __x in [1]])", "__x = 1", "def __f():\n    pass", "def f(__a):\n    pass", "f(__a=1)", "try:\n    pass\nexcept ValueError as __e:\n    pass",
    "print = 1", "tools = 1", "def store():\n    pass", "for load in [1]:\n    pass", "llm = 2", "def f(json):\n    pass", "lambda tools: 1", "t = tools", "print(tools)", "x = [json]", "f = json.loads",
    "print(json.decoder)", "print(json.codecs.builtins.open)", "json.load('x')", "json.JSONDecoder()", "llm.chat('x')", "llm.classify.__globals__", "tools.__class__", "tools.x.y()", "tools['x']()", "tools.x",
    "getattr(tools, 'x')()", "tools.__init__()", "tools.__dict__()", "x = 1 if print.__self__ else 2", "raise print", "raise ValueError.mro()", "raise (ValueError, 1)", "except_ = ValueError", "x = Exception", "print(Exception('x').__class__)",
    "isinstance(1, object)", "isinstance(1, print)", "isinstance(1, (int, [].__class__))", "return 1", "break", "def f():\n    break", "x = 1\nx()", "'a'()", "[](1)", "{}()",
    "print(1 is 1)", "print('a' is print)", "\u00aa__class__ = 1\n().__class__", "().\uff3f\uff3fclass\uff3f\uff3f", "print(().__cl\u0430ss__)", "x = ()\nx._\u005fclass_\u005f",
    "ｅｖａｌ('1')", "𝓮𝔁𝓮𝓬('x')", "print(ｏｐｅｎ('x'))", "if True: import os", "try:\n    import os\nexcept Exception:\n    print('caught')", "try:\n    print(().__class__)\nexcept Exception:\n    pass",
    "lambda x=().__class__: x", "def f(x=[].__class__):\n    pass", "[().__class__ for x in []]", "{**().__dict__}", "print(*().__dir__())", "assert ().__class__, ''.__class__", "x = 0 and ().__class__",
    "if 0:\n    ().__class__", "while 0:\n    open('x')", "def never():\n    return open('x')", "lambda: eval", "x: int = ().__class__", "raise ValueError from open('x')\nopen('y')",
]  # fmt: skip


# Kinds told of since: hooks of classes that the host calls later, attributes read by an assignment that changes, names put together from pieces,
# what patterns and decorators call, arguments of builtins that open files, generators and coroutines walked to their frames.
_HOOKS = (
    "__del__", "__eq__", "__getattribute__", "__reduce__", "__class_getitem__", "__init_subclass__", "__set_name__", "__enter__", "__call__", "__hash__", "__iter__",
)  # fmt: skip
_LATER = (
    *(f"class T:\n    def {hook}(self, *a):\n        print('later')\nx = T()" for hook in _HOOKS),
    "x = ()\nx.__class__ += 1", "def f():\n    pass\nf.__code__ = (lambda: 1).__code__", "def f():\n    pass\nf.__code__ |= 1", "print.__self__.eval = 1", "[].append.__self__",
    "x = print\nx['__class__']", "x = {'__class__': 1}\nx.__class__", "print(len.__call__('a'))", "n = '__cl' + 'ass__'\nprint(().n)", "n = '__class__'\nprint(()[n])",
    "print(sorted([1], key='__class__'))", "print(max([()], key=().__class__))", "sorted([1], key=eval)", "print(*map(eval, ['1']))", "print(1, file=open('x', 'w'))", "print(1, flush=True)",
    "print(int.from_bytes(b'a'))", "print(dict.fromkeys('a'))", "print(str.join('a', ['b']))", "print(list.append([], 1))", "print(float.fromhex('1'))", "print((1).bit_length())", "print((1.5).as_integer_ratio())",
    "print(True.real.imag)", "print(None.__bool__())", "print([].__add__([1]))", "print({}.__getitem__('a'))", "print('a'.__add__('b'))", "print(().__len__())", "print((lambda: 1).__call__())",
    "match print:\n    case object(__self__=s):\n        print(s)", "match ():\n    case (*x,):\n        print(x)", "match {'a': 1}:\n    case {'a': x, **y}:\n        print(y)",
    "@(lambda f: f.__globals__)\ndef g():\n    pass\nprint(g)", "@open\n@print\ndef g():\n    pass", "try:\n    raise ValueError\nexcept ValueError.__class__:\n    pass",
    "try:\n    raise ValueError from ().__class__\nexcept* Exception as g:\n    print(g.exceptions)", "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__ = None",
    "try:\n    1 / 0\nexcept Exception as e:\n    for e.x in [1]:\n        pass", "try:\n    [][0]\nexcept Exception as e:\n    print(f'{e.__traceback__.tb_frame}')",
    "try:\n    1 / 0\nexcept Exception as e:\n    e[0]", "try:\n    1 / 0\nexcept Exception as e:\n    print(*e)", "try:\n    1 / 0\nexcept Exception as e:\n    e()",
    "x = [g.gi_frame.f_back.f_back.f_globals for g in [(q for q in [1])]]", "g = (g.gi_frame for q in [1])\nprint(g)", "async def f():\n    return [q async for q in g()]", "print([await_.cr_await for await_ in [1]])",
    "f = lambda: (yield)\nf().gi_frame", "import builtins", "from builtins import open as o", "import importlib as i", "import json.decoder", "import _io", "import ctypes\nctypes.CDLL(None).system(b'id')",
    "from __future__ import annotations", "import json\njson.__builtins__", "import json\njson.scanner.re.sys", "import json\nprint(json.codecs)", "import json\njson.loads.__globals__", "import json\njson.JSONDecoder(object_hook=eval)",
    "json.loads('1', parse_int=eval)", "json.loads('{}', object_hook=print)", "json.loads('1', cls=print)", "json.dumps(1, default=eval)", "json.dumps(1, cls=print)", "json.dumps([1], indent='x' * 10)",
    "tools.__init__.__globals__['os']", "tools.t.__self__", "tools.batch.__globals__()", "tools['batch']([])", "llm.__class__()", "llm.classify.__self__('a')", "x = llm\nx.classify('a', ['b', 'c'])", "for tools in [1]:\n    pass",
    "import json\njson = 1", "def f(**tools):\n    pass", "[tools for tools in [1]]", "try:\n    pass\nexcept ValueError as llm:\n    pass", "with tools as t:\n    pass", "print((lambda tools=1: tools)())",
    "store.__globals__", "load.__self__", "store('k', open)", "load(print)", "store(('a',), 1)", "store('k', print)", "store('k', {1: 2})", "store('k', [range(3)])", "del store",
    "x = type\nx('X', (), {})", "x = [type][0]", "print(type.__subclasses__(type))", "object.__subclasses__()", "print(Exception.__subclasses__())", "raise Exception.__base__", "raise BaseException('x')", "raise SystemExit", "raise KeyboardInterrupt",
    "exit", "__debug__", "__import__", "print(__annotations__)", "print(__doc__)", "print(__package__)", "_ = __builtins__", "__builtins__['eval']('1')", "__loader__.load_module('os')", "a = b = __spec__",
    "\uff3f\uff3fimport\uff3f\uff3f('os')", "print(().__c\u217cass__)", "\u2147val('1')", "\U0001d42f\U0001d41a\U0001d42b\U0001d42c()", "x = ()\nprint(x.\uff3f\uff3fdoc\uff3f\uff3f)", "def \uff3f\uff3fx():\n    pass", "f(\uff3f\uff3fa=1)",
    "# coding: utf-7\n+AF8AXw-import+AF8AXw-('os')", "# -*- coding: unicode_escape -*-\nx = 1\\n\\x5f\\x5fimport\\x5f\\x5f('os')", "x = 1;import os", "if 1:import os", "lambda: __import__('os')", "(lambda: eval)()('1')",
    "[eval][0]('1')", "{'f': eval}['f']('1')", "print(f'{eval}')", "print(f'{1!r:{eval}}')", "print(f'{x.y for x in [1]}')", "assert eval", "return eval", "x = eval if 0 else 1", "x = [1 for q in [2] if eval]", "def f(a=eval):\n    pass",
    "def f(*, a=open):\n    pass", "def f() -> 1:\n    return open", "for q in open('x'):\n    pass", "while open('x'):\n    pass", "x[open('y')] = 1", "x = {}\nx[().__class__] = 1", "x = 1\nx += open('y')", "print(-open)", "print(1 < open)", "print(not open)",
)  # fmt: skip

ESCAPES: tuple[str, ...] = (*_WALKS, *_FRAMES, *_NAMES, *_TEMPLATES, *_STATEMENTS, *_LATER)

BOMBS: tuple[str, ...] = (
    # what this language charges for: keys that are compared, searches, texts in errors, bindings, nesting that is told again and again
    "x = 'a' * 4000000\na = {x + 'b': 1}\nb = {x + 'b': 1}\nwhile True:\n    a == b", "x = y = 1\nfor i in range(16):\n    x = (x, x)\n    y = (y, y)\na = {x}\nb = {y}\nwhile True:\n    a & b", "x = 'a' * 4000000\nwhile True:\n    try:\n        [].index(x)\n    except ValueError:\n        pass",
    "x = '0' * 4000000\nwhile True:\n    try:\n        f'{1:{x}}'\n    except ValueError:\n        pass", "x = ' ' * 4000000\nwhile True:\n    try:\n        llm.summarise(x)\n    except RuntimeError:\n        pass", "d = {'k' + str(i): 1 for i in range(10000)}\ndef f(**k):\n    pass\nwhile True:\n    f(**d)",
    "x = 'x' + '[]' * 1000000\nwhile True:\n    try:\n        json.loads(x)\n    except ValueError:\n        pass", "x = 'é' * 2000000\nwhile True:\n    try:\n        tools.batch([{'tool': 't', 'args': {'a': x}}])\n    except ValueError:\n        pass", "x = '\U000e0001' * 2000000\nwhile True:\n    repr(x)",
    "x = 'a' * 999\ny = 'a' * 400 + 'b' + 'a' * 99\nwhile True:\n    y in x", "d = {}\nx = 0\nfor i in range(40000):\n    d[x] = 1\n    x = (x * 5 + 1) % 65536\nd.pop(0)\nwhile True:\n    0 in d", "x = []\nwhile True:\n    x = [x]", "f = None\nwhile True:\n    f = lambda g=f: g",
    "e = None\nwhile True:\n    try:\n        raise ValueError(e)\n    except ValueError as n:\n        e = n", "x = '€' * 8000000\ny = list(x)", "x = 'a'\nwhile True:\n    x = f'{x}{x}'", "x = ['a' * 1000000] * 8\nwhile True:\n    ''.join(x)", "x = [[1] * 1000] * 1000\nwhile True:\n    x == x.copy()",
    "x = {1: {}}\nx[1] = x\nx == x.copy()\njson.dumps(x)", "x = [0] * 100\nx[0] = x\nsorted([x, x.copy()])\nstr(x) < repr(x)\njson.dumps(x)", "def f(n):\n    return [f(n + 1) for q in [1]]\nf(0)", "f = [lambda q: sorted([q], key=f[0])]\nf[0](1)", "x = 1.5\nwhile True:\n    x = x * x + 1\n    f'{x:.100f}'",
    "x = range(-1000000000000, 1000000000000)\n0.5 in x\nx[::7]\nlist(x)", "x = enumerate('a' * 8000000)", "x = {}\nwhile True:\n    x = {1: x, 2: x}\n    str(x)", "while True:\n    while True:\n        break\n    continue",
    "while True:\n    pass", "while True:\n    print(1)", "for i in range(10000000000000):\n    pass", "def f():\n    return f()\nf()", "f = lambda g: g(g)\nf(f)",
    "x = 'a' * 1000000000", "x = [0] * 9000000", "x = (1, 2) * 100000000", "x = 'a'\nwhile True:\n    x = x + x", "x = [1]\nwhile True:\n    x += x", "x = []\nwhile True:\n    x.append('a' * 100000)",
    "x = list(range(1000000000000))", "x = tuple(range(99999999999))", "x = sorted(range(100000000))", "print(*range(100000000))", "a, *b = range(100000000)", "x = [*range(100000000)]", "x = set(range(100000000))",
    "x = ','.join(['a' * 4000000] * 3)", "x = 'a' * 4000000\ny = x.replace('a', 'bbb')", "x = 'a'.center(9000000)", "x = 'a'.zfill(99999999)", "x = 'a'.ljust(10000000000000)", "print(f'{1:>99999999}')", "print(f'{1:.99999}')",
    "w = 99999999\nprint(f'{1:{w}}')", "x = 'ß' * 7000000\ny = x.upper()", "x = 2\nwhile True:\n    x = x * x", "x = 1\nwhile True:\n    x += x", "x = int('9' * 400)", "x = int('z' * 300, 36)", "x = round(5, -1000000000)",
    "x = json.loads('9' * 100)", "x = json.loads('[' * 200 + ']' * 200)", "x = json.loads('[' * 100000)", "x = []\nfor i in range(200):\n    x = [x]\njson.dumps(x)", "x = [1]\nx.append(x)\nprint(x == [1, x, 2] or x == x.copy())\njson.dumps(x)",
    "x = 1\nfor i in range(40):\n    x = [x, x]\nprint(x)", "x = 1\nfor i in range(40):\n    x = (x, x)\nd = {x: 1}", "x = y = 1\nfor i in range(40):\n    x = [x, x]\n    y = [y, y]\nprint(x == y)", "x = 1\nfor i in range(40):\n    x = {'a': x, 'b': x}\njson.dumps(x)",
    "x = 1\nfor i in range(40):\n    x = [x, x]\nprint(x < [x, 1])", "x = [1]\nfor i in range(150):\n    x = [x]\nprint(x == [[x]])\nstr(x)", "x = [2]\nfor i in range(25):\n    x = x + x\nx.sort()", "d = {}\ni = 0\nwhile True:\n    d[i * 2305843009213693951] = 1\n    i += 1",
    "s = set()\ni = 0\nwhile True:\n    s.add((i * 1099511627776, 1))\n    i += 1", "x = 'a' * 4000000\nwhile True:\n    x.upper()", "x = 'a' * 4000000\nwhile True:\n    x.rfind('b' + 'a' * 900)", "x = 'ab' * 2000000\nwhile True:\n    x.split('a')", "x = 'é' * 4000000\nwhile True:\n    x.casefold()",
    "x = ['a' * 100000 + str(i) for i in range(100)]\nwhile True:\n    sorted(x)", "x = list(range(100000))\nwhile True:\n    sorted(x, key=lambda q: -q)", "x = [1]\nfor y in x:\n    x.append(y)", "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass",
    "try:\n    while True:\n        pass\nfinally:\n    print('finally ran')", "def f(n):\n    try:\n        return f(n + 1)\n    finally:\n        f(n + 1)\nf(0)", "x = 'a' * 8000000\ny = [x + 'b' for i in range(100)]", "x = [q for a in range(10000) for q in range(10000)]", "x = {a: b for a in range(10000) for b in range(10000)}",
    "x = zip(range(100000000), range(100000000))", "x = enumerate(range(100000000))", "x = 'x' * 8000000\nprint(repr(x + x))", "x = ['x' * 7000000] * 5\nprint(str(x))", "print('x' * 7000000 * 2)", "x = 'a,' * 4000000\ny = x.split(',')\nz = [y.copy() for i in range(20)]",
    "x = 1\nfor i in range(300):\n    x = -x - x - x - x * 3", "def f(*a):\n    return f(1, *a)\nf()", "sorted([1, 2, 3], key=lambda q: sorted([1], key=lambda r: [0][1]))", "f = lambda: f()\nf()", "x = [lambda: x[0]()]\nx[0]()", "d = {}\nd['d'] = d\nstore('k', d)", "print(" + "(" * 3000 + ")" * 3000 + ")",
    "x = " + "-" * 10000 + "1", "x = " + "+".join(["1"] * 9000), "x = " + "[" * 90 + "]" * 90 + "\n" + "\n".join("x = [x]" for _ in range(150)) + "\nprint(x)", "x = " + "not " * 4000 + "1", "x = 1" + ".real" * 3000,
    "x = " + " if 1 else ".join(["1"] * 900), "x = " + "lambda: " * 1500 + "1", "x = 123456789" * 1 + "0" * 4000, "print(f\"{" + "f'{" * 3 + "1}" + "'}\" * 0)",
)  # fmt: skip
