"""Every limit of the table (SCR-220): at the limit the script goes on, one above it does not."""

from __future__ import annotations

import pytest

from tests.engine.script.inside import answering, script

BIG = 8_000_000


def ends(source: str, **more: object) -> str:
    return script(source, **more).code  # type: ignore[arg-type]


@pytest.mark.spec("SCR-220", "SCR-103")
def test_25_calls_and_not_26() -> None:
    source = "for i in range({n}):\n    tools.t(a=i)\nprint('end')"
    assert script(source.format(n=25)).printed == "end"
    over = script(source.format(n=26))
    assert (over.code, over.line, over.printed, len(over.sent)) == ("limit_calls", 2, "", 25)


@pytest.mark.spec("SCR-220", "SCR-172")
def test_10_questions_and_not_11() -> None:
    source = "for i in range({n}):\n    llm.summarise('text')"
    assert ends(source.format(n=10)) == "ok"
    assert ends(source.format(n=11)) == "limit_llm"


@pytest.mark.spec("SCR-220", "SCR-103")
def test_questions_and_calls_share_the_25() -> None:
    source = "for i in range(10):\n    llm.summarise('text')\nfor i in range({n}):\n    tools.t()"
    assert ends(source.format(n=15)) == "ok"
    assert ends(source.format(n=16)) == "limit_calls"


@pytest.mark.spec("SCR-220", "SCR-170", "SCR-171")
@pytest.mark.parametrize(
    ("fits", "over"),
    [
        ("llm.summarise('a' * 20000)", "llm.summarise('a' * 20001)"),
        ("llm.summarise('a', max_chars=4000)", "llm.summarise('a', max_chars=4001)"),
        ("llm.summarise('a', max_chars=1)", "llm.summarise('a', max_chars=0)"),
        ("llm.summarise('a', 7)", "llm.summarise('a', True)"),
        ("llm.summarise('a')", "llm.summarise('  ')"),
        ("llm.classify('a', ['x', 'y'])", "llm.classify('a', ['x'])"),
        ("llm.classify('a', [str(i) for i in range(20)])", "llm.classify('a', [str(i) for i in range(21)])"),
        ("llm.classify('a', ['x' * 100, 'y'])", "llm.classify('a', ['x' * 101, 'y'])"),
        ("llm.classify('a', ['x y', 'xy'])", "llm.classify('a', ['x y', ' X  Y'])"),
    ],
)
def test_questions_take_what_fits(fits: str, over: str) -> None:
    assert len(script(fits).sent) == 1
    wrong = script(over)
    assert (wrong.code, wrong.sent, wrong.params["type"]) == ("uncaught", [], "RuntimeError")
    assert wrong.params["message"].startswith("llm.")


@pytest.mark.spec("SCR-220", "SCR-107")
def test_40_lookups_and_the_41st_is_an_error_that_can_be_caught() -> None:
    source = "for i in range({n}):\n    tools.names()\n"
    assert ends(source.format(n=40)) == "ok"
    over = script(source.format(n=41))
    assert (over.code, over.params["type"], len(over.sent)) == ("uncaught", "RuntimeError", 40)
    assert ends("try:\n    for i in range(41):\n        tools.names()\nexcept RuntimeError:\n    print('caught')") == "ok"


@pytest.mark.spec("SCR-220", "SCR-108")
def test_a_lookup_takes_1000_characters_and_a_limit_of_10() -> None:
    assert ends("tools.search('a' * 1000, limit=10)") == "ok"
    assert ends("tools.search('a' * 1001)") == "uncaught"
    assert ends("tools.search('a', limit=11)") == "uncaught"
    assert ends("tools.search('a', limit=0)") == "uncaught"


@pytest.mark.spec("SCR-220", "SCR-111", "SCR-115", "SCR-116")
def test_a_batch_takes_1_to_10_calls_and_no_more_than_are_left() -> None:
    source = "tools.batch([{{'tool': 't'}}] * {n})"
    assert ends(source.format(n=10), answer=answering([])) == "ok"
    for wrong in (
        source.format(n=11),
        source.format(n=0),
        "tools.batch()",
        "tools.batch([], [])",
        "tools.batch([{'tool': 1}])",
        "tools.batch([{'tool': 't', 'x': 1}])",
    ):
        refused = script(wrong)
        assert (refused.code, refused.sent) == ("uncaught", [])
    few = "for i in range(16):\n    tools.t()\ntry:\n    tools.batch([{'tool': 't'}] * 10)\nexcept RuntimeError as e:\n    print(e)"
    assert "only 9 more of its 25" in script(few, answer=answering([])).printed
    none = "for i in range(25):\n    tools.t()\ntry:\n    tools.batch([{'tool': 't'}])\nexcept RuntimeError as e:\n    print(e)"
    assert ends(none) == "limit_calls"


@pytest.mark.spec("SCR-220", "SCR-94")
def test_the_arguments_of_a_call_have_100000_characters() -> None:
    room = 100_000 - len('{"a":""}')
    assert ends(f"tools.t(a='x' * {room})") == "ok"
    over = script(f"tools.t(a='x' * {room + 1})")
    assert (over.code, over.sent) == ("limit_args", [])
    batch = script(f"tools.batch([{{'tool': 't', 'args': {{'a': 'x' * {room + 1}}}}}])")
    assert (batch.code, batch.params["type"], batch.sent) == ("uncaught", "ValueError", [])


@pytest.mark.spec("SCR-220", "SCR-50", "SCR-61")
def test_the_steps_are_counted_one_by_one() -> None:
    # a statement and its expression: 1 + 1; each round: 1 for the round, 1 for the statement
    source = "for i in range(10):\n    pass\n"
    spent = script(source).steps
    assert spent == 1 + 3 + 10 * 2
    assert ends(source, steps=spent) == "ok"
    assert (script(source, steps=spent - 1).code, script(source, steps=spent - 1).line) == ("limit_steps", 2)


@pytest.mark.spec("SCR-50", "SCR-61")
def test_what_was_printed_before_the_last_step_is_kept_to_the_statement() -> None:
    source = "while True:\n    print(1)\n    print(2)\n"
    whole = script(source, steps=1003)
    assert (whole.code, whole.steps <= 1003) == ("limit_steps", True)
    # each round: the test 1, the round 1, two statements of 1 + 3 nodes
    rounds, rest = divmod(1003 - 1, 2 + 8)
    assert whole.printed.split() == ["1", "2"] * rounds + (["1"] if rest >= 6 else [])


@pytest.mark.spec("SCR-50")
def test_a_block_left_early_pays_only_for_what_began() -> None:
    early = "def f():\n    for i in [1]:\n        if i:\n            return 1\n        x = 1 + 2 + 3 + 4\n    x = 5 + 6\nf()\n"
    late = early.replace("        x = 1 + 2 + 3 + 4\n", "").replace("    x = 5 + 6\n", "")
    assert script(early).steps == script(late).steps
    failing = "try:\n    x = [][0]\n    y = 1 + 2 + 3\n    z = 4\nexcept IndexError:\n    pass\n"
    assert script(failing).steps == script(failing.replace("    y = 1 + 2 + 3\n    z = 4\n", "")).steps


@pytest.mark.spec("SCR-220", "SCR-62")
def test_2000000_steps_and_nothing_catches_their_end() -> None:
    over = script("try:\n    while True:\n        pass\nexcept Exception:\n    print('caught')\nfinally:\n    print('finally')")
    assert (over.code, over.printed) == ("limit_steps", "")
    assert 2_000_000 - 10 <= over.steps <= 2_000_000


@pytest.mark.spec("SCR-220", "SCR-52")
@pytest.mark.parametrize(
    ("fits", "over"),
    [
        (f"x = 'a' * {BIG}", f"x = 'a' * {BIG + 1}"),
        (f"x = [0] * {BIG}", f"x = [0] * {BIG + 1}"),
        (f"x = 'a' * {BIG - 1} + 'b'", f"x = 'a' * {BIG} + 'b'"),
        (f"x = ','.join(['a' * {BIG // 2}, 'b' * {BIG // 2 - 1}])", f"x = ','.join(['a' * {BIG // 2}, 'b' * {BIG // 2}])"),
        (f"x = ('a' * 1000 + 'b').replace('b', 'c' * {BIG - 1000})", f"x = ('a' * 1000 + 'b').replace('b', 'c' * {BIG - 999})"),
        (f"x = 'a'.ljust({BIG})", f"x = 'a'.ljust({BIG + 1})"),
        (f"x = 'a'.zfill({BIG})", f"x = 'a'.zfill({BIG + 1})"),
        (f"y = 'a' * {BIG - 2}\nx = repr(y)", f"y = 'a' * {BIG - 1}\nx = repr(y)"),
        (f"y = 'a' * {BIG - 1}\nx = f'{{y}}b'", f"y = 'a' * {BIG}\nx = f'{{y}}b'"),
        ("x = list(range(4000000))", f"x = list(range({BIG + 1}))"),
        ("x = tuple(range(4000000))", f"x = tuple(range({BIG + 1}))"),
        (f"a, *b = [0] * {BIG}", f"a, *b = range({BIG + 1})"),
        (f"x = [0] * {BIG - 1}\nx.append(1)", f"x = [0] * {BIG}\nx.append(1)"),
        (f"x = [0] * {BIG - 1}\nx.insert(0, 1)", f"x = [0] * {BIG}\nx.insert(0, 1)"),
        (f"x = [0] * {BIG - 1}\nx.extend([1])", f"x = [0] * {BIG}\nx.extend([1])"),
        (f"x = [0] * {BIG - 1}\nx += [1]", f"x = [0] * {BIG}\nx += [1]"),
        ("x = 'ß' * 4000000\ny = x.upper()", "x = 'ß' * 4000001\ny = x.upper()"),
        ("x = zip(range(100000), range(100000))", f"x = zip(range({BIG + 1}), range({BIG + 1}))"),
        ("x = enumerate(range(100000))", f"x = enumerate(range({BIG + 1}))"),
        ("x = set(range(100000))", f"x = set(range({BIG + 1}))"),
        ("x = sorted(range(100000))", f"x = sorted(range({BIG + 1}))"),
    ],
)
def test_one_value_holds_8000000(fits: str, over: str) -> None:
    memory = 2_000_000_000  # the limit of memory is another test's
    assert ends(fits, steps=50_000_000, memory=memory) == "ok"
    assert ends(over, steps=50_000_000, memory=memory) == "limit_value"


@pytest.mark.spec("SCR-220", "SCR-55")
def test_memory_is_measured_before_a_large_value_is_made() -> None:
    limit = 64 * 1024 * 1024
    assert ends("x = [0] * 1000000", memory=limit) == "ok"
    assert ends("x = 'a' * 7000000\ny = [x + 'b', x + 'c']", memory=limit) == "ok"
    over = script("x = 'a' * 7000000\ny = []\nfor i in range(20):\n    y.append(x + 'b')\n    print(i)", memory=limit)
    assert (over.code, over.line) == ("limit_memory", 4)
    assert 4 <= len(over.printed.split()) <= 12


@pytest.mark.spec("SCR-220", "SCR-57")
def test_40_functions_inside_each_other() -> None:
    source = "def f(n):\n    return 0 if n == 0 else f(n - 1)\nf({n})"
    assert ends(source.format(n=39)) == "ok"
    assert ends(source.format(n=40)) == "limit_depth"
    key = "def f(n):\n    return 0 if n == 0 else sorted([n], key=lambda q: f(q - 1))\nf({n})"
    assert ends(key.format(n=19)) == "ok"
    assert ends(key.format(n=20)) == "limit_depth"


@pytest.mark.spec("SCR-220", "SCR-53", "SCR-54", "SCR-242")
@pytest.mark.parametrize(
    ("fits", "over"),
    [
        (f"x = {2**256 - 1}\ny = x + 0", f"x = {2**256 - 1}\ny = x + 1"),
        (f"x = -{2**256 - 1}\ny = x - 0", f"x = -{2**256 - 1}\ny = x - 1"),
        (f"x = {2**255}\ny = x * 1", f"x = {2**255}\ny = x * 2"),
        (f"x = {2**128 - 1}\ny = x * x", f"x = {2**128}\ny = x * x"),
        (f"x = {2**128 - 1}\nx *= x", f"x = {2**128}\nx *= x"),
        (f"x = sum([{2**255}, {2**255 - 1}])", f"x = sum([{2**255}, {2**255}])"),
        (f"x = int('{2**256 - 1}')", f"x = int('{2**256}')"),
        (f"x = json.loads('{2**256 - 1}')", f"x = json.loads('{2**256}')"),
        ("x = json.loads('1' + '0' * 70)", "x = json.loads('1' + '0' * 78)"),
        ("x = int(1e77)", "x = int(1e78)"),
    ],
)
def test_integers_have_256_bits(fits: str, over: str) -> None:
    assert ends(fits) == "ok"
    assert ends(over) == "limit_int"


@pytest.mark.spec("SCR-220", "SCR-53")
def test_a_literal_of_more_than_256_bits_is_refused() -> None:
    assert ends(f"x = {2**256 - 1}") == "ok"
    assert script(f"x = 1\ny = {2**256}").word == "big_int"


@pytest.mark.spec("SCR-24", "SCR-243")
def test_200_nested_nodes() -> None:
    # Module, Expr and the name are three; each minus is one
    assert ends("x = 1\n" + "-" * 198 + "x") == "ok"
    over = script("x = 1\n" + "-" * 199 + "x")
    assert (over.word, over.line) == ("nesting", 2)
    chain = "x = 5\nif x == 0:\n    pass\n" + "".join(f"elif x == {i}:\n    y = {i}\n" for i in range(1, 400)) + "print(y)"
    assert script(chain).printed == "5"


@pytest.mark.spec("SCR-24")
def test_200_nested_nodes_in_each_of_40_calls_do_not_overflow() -> None:
    deep = "(" * 90 + "f(n - 1)" + " + 0)" * 90
    assert script(f"def f(n):\n    if n == 0:\n        return 1\n    return {deep}\nprint(f(39))").printed == "1"


@pytest.mark.spec("SCR-51", "SCR-244")
@pytest.mark.parametrize("use", ["repr(x)", "json.dumps(x)", "x == y", "store('k', x)", "tools.t(a=x)", "x < y", "json.loads(s)"])
def test_data_is_nested_100_levels(use: str) -> None:
    build = "x = 1\ny = 1\nfor i in range({n}):\n    x = [x]\n    y = [y]\ns = '[' * {n} + ']' * {n}\n{use}"
    inside = 99 if use.startswith("tools") else 100
    assert ends(build.format(n=inside, use=use)) == "ok"
    over = script(build.format(n=inside + 1, use=use))
    assert (over.code, over.params["type"]) == ("uncaught", "ValueError")


@pytest.mark.spec("SCR-220", "SCR-66", "SCR-67", "SCR-240")
def test_60000_characters_are_kept_of_what_is_printed() -> None:
    whole = script("print('a' * 59999)")
    assert (len(whole.printed), whole.printed[-1]) == (59_999, "a")
    assert script("print('a' * 30000 + 'b' * 30000, end='')").printed == "a" * 30_000 + "b" * 30_000
    over = script("print('a' * 30001 + 'b' * 30000, end='')")
    assert len(over.printed) <= 60_000
    assert over.printed.startswith("a" * 29_000)
    assert over.printed.endswith("b" * 29_000)
    assert "printed 60001 characters" in over.printed


@pytest.mark.spec("SCR-44")
@pytest.mark.parametrize("name", ["strip", "lstrip", "rstrip", "rfind", "rindex", "rsplit", "rpartition"])
def test_a_needle_of_1000_characters(name: str) -> None:
    source = f"t = 'a' * 1000\ntry:\n    t.{name}('a' * {{n}})\nexcept ValueError as e:\n    print(e)"
    assert script(source.format(n=1000)).printed == ""
    assert "at most 1000" in script(source.format(n=1001)).printed


@pytest.mark.spec("SCR-45")
def test_a_format_is_10000_wide_and_100_precise() -> None:
    assert ends("x = f'{1:>10000}'") == "ok"
    assert ends("x = f'{1:>10001}'") == "uncaught"
    assert ends("x = f'{1.5:.100f}'") == "ok"
    assert ends("x = f'{1.5:.101f}'") == "uncaught"


@pytest.mark.spec("SCR-41")
@pytest.mark.parametrize(
    ("fits", "over"),
    [
        ("round(1.5, 100)", "round(1.5, 101)"),
        ("round(1, -100)", "round(1, -101)"),
        ("int('1' * 70)", "int('0' * 401)"),
        ("int('0' * 400)", "int('0' * 401)"),
        ("float('1' * 300)", "float('1' * 401)"),
        ("int('z', 36)", "int('z', 37)"),
        ("json.dumps([1], indent=8)", "json.dumps([1], indent=9)"),
    ],
)
def test_builtins_measure_what_they_are_given(fits: str, over: str) -> None:
    assert ends(f"x = {fits}") == "ok"
    assert script(f"x = {over}").params["type"] == "ValueError"


@pytest.mark.spec("SCR-220", "STO-4", "STO-10")
def test_keys_of_200_and_values_of_65536_characters_are_stored() -> None:
    assert script("store('k' * 200, 1)").sent == [{"op": "store", "key": "k" * 200, "json": "1"}]
    assert len(script("store('k', 'v' * 65534)").sent) == 1
    for wrong in ("store('k' * 201, 1)", "store('', 1)", "store(1, 1)", "load('k' * 201)", "store('k', 'v' * 65535)"):
        refused = script(wrong)
        assert (refused.code, refused.params["type"], refused.sent) == ("uncaught", "ValueError", [])


@pytest.mark.spec("STO-3", "STO-5", "STO-7", "STO-8")
def test_what_is_stored_is_json_that_reads_back_the_same() -> None:
    assert script("store('k', ['a1', 'b2'])").sent[0]["json"] == '["a1","b2"]'
    assert script("store('k', {'é': (1, None)})").sent[0]["json"] == '{"é":[1,null]}'
    assert script("store('k', None)").sent == [{"op": "store", "key": "k", "forget": True}]
    for wrong in ("{1}", "json.loads('NaN')", "{3: 1}", "print", "range(3)", "[lambda: 1]", r"json.loads('\"\\ud800\"')"):
        refused = script(f"store('k', {wrong})")
        assert (refused.code, refused.params.get("type"), refused.sent) == ("uncaught", "ValueError", []), wrong
