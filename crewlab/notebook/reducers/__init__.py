"""From events to what is drawn, for the notebook side: plain dicts in, plain dicts out.

The same reducers as ``labextension/src/shared/{conversation,activity,thread}.ts``, tested on the same recorded files
(``tests/events``); both give the same JSON. Pure standard library: no engine, no Jupyter.
"""

from crewlab.notebook.reducers.activity import empty_activity, reduce_activity
from crewlab.notebook.reducers.conversation import (
    add_queued,
    add_sent,
    empty_conversation,
    keep_end,
    reduce_conversation,
    show_conversation,
)
from crewlab.notebook.reducers.thread import show_messages

__all__ = [
    "add_queued",
    "add_sent",
    "empty_activity",
    "empty_conversation",
    "keep_end",
    "reduce_activity",
    "reduce_conversation",
    "show_conversation",
    "show_messages",
]
