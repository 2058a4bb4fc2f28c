"""Schema of the search index: an FTS5 table over what was said, kept equal to ``messages`` by triggers (FTS-1, FTS-2, FTS-4).

``messages_said`` is what is indexed: the words of ``user`` and ``assistant`` messages, with đ and Đ as d and D
because ``unicode61`` leaves them alone. Each replacement keeps the number of characters, so a place in the
indexed text is the same place in the message. U+0002 and U+0003 are taken out: they mark matches (FTS-9).
The index keeps no text of its own (external content), and ``rebuild`` and ``integrity-check`` work on it.
"""

from __future__ import annotations

SAID = "replace(replace(replace(replace({content}, 'đ', 'd'), 'Đ', 'D'), char(2), ' '), char(3), ' ')"
_NEW = SAID.format(content="new.content")
_OLD = SAID.format(content="old.content")

SEARCH = (
    f"""CREATE VIEW messages_said AS
        SELECT id, {SAID.format(content="content")} AS content FROM messages WHERE role IN ('user', 'assistant')""",
    # Prefix indexes: the box asks while a word is being typed, and short prefixes match a large part of all messages
    """CREATE VIRTUAL TABLE messages_fts USING fts5(
        content, content='messages_said', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3'
    )""",
    f"""CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages WHEN new.role IN ('user', 'assistant') BEGIN
        INSERT INTO messages_fts (rowid, content) VALUES (new.id, {_NEW});
    END""",
    f"""CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages WHEN old.role IN ('user', 'assistant') BEGIN
        INSERT INTO messages_fts (messages_fts, rowid, content) VALUES ('delete', old.id, {_OLD});
    END""",
    "INSERT INTO messages_fts (messages_fts) VALUES ('rebuild')",  # FTS-1: what is already there, in the same transaction
)
