"""Text for people and models stands in the catalogues, whole in both languages (TURN-3)."""

import ast
import importlib
import string
from pathlib import Path

import pytest

from crewlab.engine.texts import LANGUAGES, Texts
from tests.fixtures.source import (
    CATALOGUES,
    ROOT,
    front_files,
    front_sentences,
    in_catalogue,
    is_sentence,
    python_files,
    python_sentences,
)

pytestmark = pytest.mark.spec("TURN-3")

AREAS = sorted({path.stem.partition("_")[2] for path in CATALOGUES[0].glob("??_*.py")})
ALLOWED = {  # "path: beginning of the text" -> why it is neither for a person nor for a model
    "crewlab/engine/canvas/notes.py: [canvas text": "fixed tokens, the same in every language (CNV-106)",
    "crewlab/engine/home/layout.py: 0 is no single": "a mistake in our own code",
    "crewlab/engine/home/yamlfile.py: mapping values are not allowed": "compared with a message of the YAML library",
    "crewlab/engine/models/chain.py: a chain needs a route": "a mistake in our own code",
    "crewlab/engine/script/child/": "Python's own error texts and the forms of calls, fixed in every language (SCR-35)",
    "crewlab/engine/script/describe.py: for each, answer": "a line of a program, the same in every language (SCR-85)",
    "crewlab/engine/script/outcome.py: Script did not finish.": "a token, the same in every language (SCR-71)",
    "crewlab/server_ext/app.py: ": "help of Jupyter's command line, which is English",
    "crewlab/server_ext/openapi.py: ": "descriptions of the API for programmers",
}
ALLOWED_FRONT = {"labextension/src/plugin.ts:": "JupyterLab shows descriptions of plugins as they are"}


def catalogue(language: str, area: str) -> dict[str, str]:
    texts = importlib.import_module(f"crewlab.engine.texts.{language}_{area}").TEXTS
    assert isinstance(texts, dict)
    return texts


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_there_are_areas() -> None:
    assert AREAS


@pytest.mark.parametrize("area", AREAS)
def test_an_area_has_the_same_keys_and_fields_in_every_language(area: str) -> None:
    english = catalogue("en", area)
    for language in LANGUAGES:
        other = catalogue(language, area)
        assert sorted(other) == sorted(english), language
        assert {key: fields(text) for key, text in other.items()} == {key: fields(text) for key, text in english.items()}, language


@pytest.mark.parametrize("area", AREAS)
def test_no_sentence_of_an_area_is_left_in_english(area: str) -> None:
    english, vietnamese = catalogue("en", area), catalogue("vi", area)
    same = {key: text for key, text in english.items() if vietnamese[key] == text and is_sentence(text)}
    assert same == {}


OTHER_WORDS = ("tác tử", "tác nhân", "trợ lý")
ASSISTANT = {("models", "local_system")}  # the demonstration model is told to be an assistant, in English too


def test_an_agent_is_called_by_one_name_in_vietnamese() -> None:
    found = [(area, key) for area in AREAS for key, text in catalogue("vi", area).items() for word in OTHER_WORDS if word in text.lower()]
    assert set(found) == ASSISTANT
    files = [*(ROOT / "labextension" / "src" / "shared" / "texts").rglob("*.ts"), *(ROOT / "crewlab/engine/agents/shipped/vi").rglob("*.*")]
    assert len(files) > 20
    assert {path.name: word for path in files for word in OTHER_WORDS if word in path.read_text(encoding="utf-8").lower()} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_filled_in(language: str) -> None:
    texts = Texts(language)  # type: ignore[arg-type]
    for area in AREAS:
        for key, text in catalogue(language, area).items():
            assert texts(f"{area}.{key}", **dict.fromkeys(fields(text), 1)) is not None


def named_texts(path: Path) -> list[tuple[str, int, set[str] | None]]:
    """Key, line and named fields of each text that ``path`` asks for; ``None`` where the fields are not written out."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        key = node.args[0].value
        if name.lstrip("_") == "texts" and isinstance(key, str) and "." in key:
            written = {keyword.arg for keyword in node.keywords}
            found.append((key, node.lineno, None if None in written else {name for name in written if name}))
    return found


def test_every_text_that_is_asked_for_is_there_with_the_fields_it_is_given() -> None:
    wrong = []
    for path in python_files():
        for key, line, given in named_texts(path):
            area, _, name = key.partition(".")
            text = catalogue("en", area).get(name) if area in AREAS else None
            if text is None or (given is not None and not fields(text) <= given):
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {key}")
    assert wrong == []


def test_every_family_of_texts_that_is_asked_for_has_members() -> None:
    wrong = []
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.JoinedStr)):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0].values[0]
            if name.lstrip("_") == "texts" and isinstance(first, ast.Constant) and "." in str(first.value):
                area, _, beginning = str(first.value).partition(".")
                if not (area in AREAS and any(key.startswith(beginning) for key in catalogue("en", area))):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {first.value}")
    assert wrong == []


def test_no_python_file_outside_the_catalogue_holds_sentences() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {text}": line
        for path in python_files()
        if not in_catalogue(path)
        for line, text in python_sentences(path.read_text(encoding="utf-8"))
    }
    used = {allowed for allowed in ALLOWED if any(place.startswith(allowed) for place in found)}
    assert {place: line for place, line in found.items() if not place.startswith(tuple(used))} == {}
    assert used == set(ALLOWED), "an exception that is no longer needed goes"


def test_no_front_end_file_outside_the_catalogue_holds_sentences() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in front_files()
        if path.suffix in {".ts", ".tsx"}
        and ".test." not in path.name
        and path.is_relative_to(CATALOGUES[1].parents[1])
        and not in_catalogue(path)
        for line, text in front_sentences(path.read_text(encoding="utf-8"), jsx=path.suffix == ".tsx")
    ]
    assert [place for place in found if not place.startswith(tuple(ALLOWED_FRONT))] == []


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('x = "Write the file first, then read it."', 1),
        ('x = f"The file {name} is not there any more."', 1),
        ('x = "a" "nother sentence of four words"', 1),
        ('def f():\n    """This is a whole docstring here."""', 0),
        ('log.warning("This is for the log only")', 0),
        ('db.execute("SELECT a FROM b WHERE c IS NULL")', 0),
        ('raise TypeError("this is for programmers to read")', 0),
        ('raise ValueError("this is for people to read")', 1),
        ('x = "crew-thread crew-thread-open crew-narrow 12 34"', 0),
    ],
)
def test_sentences_are_found_in_python(code: str, count: int) -> None:
    assert len(python_sentences(code)) == count


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("const a = 'Write the file first';", 1),
        ("return <p>Write the file first</p>;", 1),
        ("return <p className='jp-a jp-b jp-c jp-d'>{t('chat.empty')}</p>;", 0),
        ("// Write the file first, says this comment", 0),
        ("throw new Error('this is for programmers to read');", 0),
    ],
)
def test_sentences_are_found_in_typescript(code: str, count: int) -> None:
    assert len(front_sentences(code)) == count
