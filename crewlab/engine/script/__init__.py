"""Scripts: many tool calls by one short program, interpreted in an isolated child (``docs/spec``, SCR).

``child/`` is the interpreter, run by path in a bare Python; ``process`` starts it, answers what it asks and ends it; ``fence`` puts the
operating system's sandbox around it; ``outcome`` says for the model how a script ended. Stands on ``texts``.
"""

from crewlab.engine.script.messages import Answer, Message
from crewlab.engine.script.outcome import script_answer
from crewlab.engine.script.process import Ended, Host, run_script

__all__ = ["Answer", "Ended", "Host", "Message", "run_script", "script_answer"]
