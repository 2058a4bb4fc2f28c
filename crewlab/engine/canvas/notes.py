"""What a model reads of canvases beside its calls: notes before messages, and what stands for old text (CNV-98 to CNV-106)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crewlab.engine.canvas.family import STREAMED, WRITES
from crewlab.engine.canvas.library import PERSON, Library
from crewlab.engine.canvas.tags import read_tag, tag
from crewlab.engine.canvas.titles import shown
from crewlab.engine.records import Message, ToolCall
from crewlab.engine.store.canvas_marks import Mark
from crewlab.engine.store.canvases import StoredCanvas
from crewlab.engine.texts import LANGUAGES, Texts
from crewlab.engine.tools.fence import fence

NOTED = 12  # CNV-99
BODIES = ("content", "old", "new")  # CNV-102
CUT = ("gate.cut_restart", "gate.cut_stop")
SAVED = "[canvas text saved as artifact {id} v{version}]"  # CNV-106: these four are fixed, the same in both languages
UNCHANGED = "[canvas text unchanged, artifact {id} v{version}]"
FAILED = "[canvas text not saved: the call failed]"
INTERRUPTED = "[canvas text: call interrupted, check artifact_list before writing again]"


@dataclass(frozen=True, slots=True)
class _News:
    """One canvas that changed: what is said of it, and the diff a person's change is told with."""

    canvas: StoredCanvas
    what: str
    changes: str | None = None


def note(library: Library, conversation_id: str, agent_id: str) -> str | None:
    """What others did to the canvases of the chain since this conversation was last told; remembers that it is told now.

    Call it in the transaction that stores the message it stands before (CNV-98). It raises no mark (CNV-101).
    """
    store = library.store
    chain = store.canvases.chain(conversation_id)
    if chain is None:
        return None
    marks = store.canvas_marks.of_conversation(conversation_id)
    news: list[_News] = []
    for canvas in store.canvases.in_chain(chain.root):
        mark = marks.get(canvas.id, Mark())
        found = _news(library, canvas, mark, agent_id)
        if found is not None:
            news.append(found)
            told = replace(mark, told=canvas.version, title=canvas.title, gone=canvas.deleted, changes=None, changes_to=None)
            store.canvas_marks.put(conversation_id, canvas.id, told)
    return _written(news, library.parts.texts) if news else None


def _news(library: Library, canvas: StoredCanvas, mark: Mark, agent_id: str) -> _News | None:
    texts, heard = library.parts.texts, max(mark.known, mark.told)
    if canvas.deleted:
        return _News(canvas, texts("canvas.note_deleted")) if heard and not mark.gone else None
    who = _who(canvas.author, agent_id, texts)
    if not heard:
        return _News(canvas, texts("canvas.note_new", who=who))
    said: list[str] = []
    changes = None
    if canvas.version > heard:
        newest = library.store.canvases.version(canvas.id, canvas.version)
        restored = newest is not None and newest.how == "restore"
        said.append(texts("canvas.note_restored" if restored else "canvas.note_version", who=who))
        changes = _changes(library, canvas, mark)
    if mark.title is not None and mark.title != canvas.title:
        said.append(texts("canvas.note_title", old=shown(mark.title)))
    return _News(canvas, "; ".join(said), changes) if said else None


def _changes(library: Library, canvas: StoredCanvas, mark: Mark) -> str | None:
    """The diff that was kept when a person changed what this agent knew (CNV-100)."""
    texts = library.parts.texts
    if mark.changes_to == canvas.version and mark.changes:
        return fence("DOCUMENT", mark.changes, texts)
    long = mark.known and canvas.author == PERSON and canvas.kind != "image"
    return texts("canvas.diff_long", id=canvas.id) if long else None


def _who(author: str, agent_id: str, texts: Texts) -> str:
    if author == PERSON:
        return texts("canvas.who_person")
    name = author.partition(":")[2]
    return texts("canvas.who_self" if name == agent_id else "canvas.who_agent", name=name)


def _written(news: list[_News], texts: Texts) -> str:
    lines = [texts("canvas.note_head")]
    for each in news[:NOTED]:
        lines.append(f"{tag(each.canvas.id, each.canvas.version)} {shown(each.canvas.title)} — {each.what}")
        if each.changes is not None:
            lines.append(each.changes)
    if len(news) > NOTED:
        lines.append(texts("canvas.note_more", count=len(news) - NOTED))
    return "\n".join(lines)


def old_call(call: ToolCall, result: Message | None) -> ToolCall:
    """A call of an earlier turn as the prompt carries it: a note in place of the text that went into a canvas (CNV-102). Pure."""
    if call.name not in STREAMED:
        return call
    said = _outcome(result)
    if isinstance(call.arguments, str):
        return ToolCall(id=call.id, name=call.name, arguments=said)
    kept = {name: said if name in BODIES and isinstance(value, str) else value for name, value in call.arguments.items()}
    return ToolCall(id=call.id, name=call.name, arguments=kept)


def _outcome(result: Message | None) -> str:
    found = read_tag(result.content) if result is not None else None
    if found is not None:
        return (UNCHANGED if found.unchanged else SAVED).format(id=found.id, version=found.version)
    return INTERRUPTED if result is None or _was_cut(result) else FAILED


def _was_cut(result: Message) -> bool:
    """Whether it is not known if the call ran (CNV-103). A copied message has lost its outcome, so its words are looked at."""
    if result.context is not None:
        return result.context.get("outcome") == "unknown"
    return result.content in _cut_texts(result.name or "")


def _cut_texts(name: str) -> set[str]:
    return {Texts(language)(key, name=name) for language in LANGUAGES for key in CUT}  # type: ignore[arg-type]


def inbound_section(names: tuple[str, ...], texts: Texts) -> str | None:
    """The last section of a turn whose channel carries no canvas, naming the writing tools it holds (TURN-73, CNV-79)."""
    held = [name for name in names if name in WRITES]
    return texts("canvas.inbound_section", tools=", ".join(held)) if held else None
