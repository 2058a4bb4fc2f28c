"""Text of a model as Markdown that cannot act (UI-147, UI-154).

A cell's output is trusted by JupyterLab: HTML inside Markdown would run there. So tags become text, links lead only
to web addresses and places of this page, pictures are not fetched, and code blocks are written anew so that every
Markdown reader sees the same borders. Code in blocks stays byte for byte what it was.
"""

from __future__ import annotations

import re

FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)$")
CODE_SPAN = re.compile(r"(?<![`\\])(`+)(?!`)([^\n]*?[^`\n])\1(?!`)")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
LINK = re.compile(r"\]\(")
SAFE_TARGET = re.compile(r"\s*(?:https?://[^\s<>\"'`&\\]|mailto:[\w.+-]+@|#[\w-]*\)|[\w./%-]+\))")
REFERENCE = re.compile(r"\](?=[ \t]*:)|\](?=\[)")
MATH_LINK = re.compile(r"\\(?=(?:href|unicode|cssId|class|style|data)\b)")
JOINER = "\u2060"  # invisible; a "<" before it begins no tag


def safe_markdown(source: str) -> str:
    """``source`` as inert Markdown: it reads the same, and nothing in it runs, loads or leads to a script."""
    out: list[str] = []
    prose: list[str] = []
    lines = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").split("\n")
    index = 0
    while index < len(lines):
        opening = FENCE.match(lines[index])
        if opening is None:
            prose.append(lines[index])
            index += 1
            continue
        code, index = _block(lines, index, opening)
        out += [*_prose(prose), "", *code, ""]
        prose = []
    return "\n".join([*out, *_prose(prose)]).strip("\n")


def _block(lines: list[str], start: int, opening: re.Match[str]) -> tuple[list[str], int]:
    """The code block that begins at ``start``, written anew at the left edge, and the line after it."""
    mark, indent = opening["mark"], opening["indent"]
    closing = re.compile(rf"^[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    end = start + 1
    while end < len(lines) and not closing.match(lines[end]):
        end += 1
    body = [line.removeprefix(indent) for line in lines[start + 1 : end]]
    longest = max((len(run) for line in body for run in re.findall(r"[`~]+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    info = re.sub(r"[^\w+#.-].*", "", opening["info"].strip())
    return [fence + info, *body, fence], end + 1


def _prose(lines: list[str]) -> list[str]:
    return [_line(line) for line in lines]


def _line(line: str) -> str:
    out: list[str] = []
    at = 0
    for span in CODE_SPAN.finditer(line):
        out += [_words(line[at : span.start()]), TAG.sub("<" + JOINER, span[0])]
        at = span.end()
    return _links("".join([*out, _words(line[at:])]))


def _words(text: str) -> str:
    text = text.replace("<", "&lt;")
    text = re.sub(r"(`{3,}|~{3,})", lambda run: "\\" + "\\".join(run[0]), text)  # no stray fence may open a block
    return MATH_LINK.sub("\\\\\\\\", text)


def _links(line: str) -> str:
    """Inline links to places that are not plainly harmless, pictures and reference links become text."""
    line = line.replace("![", "!\\[")
    line = REFERENCE.sub(lambda _: "\\]", line)
    out: list[str] = []
    at = 0
    for link in LINK.finditer(line):
        out.append(line[at : link.start()])
        out.append("](" if SAFE_TARGET.match(line, link.end()) else "]\\(")
        at = link.end()
    return "".join([*out, line[at:]])
