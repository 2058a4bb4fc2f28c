"""Pictures and PDFs: ``image_read`` and ``pdf_read`` (VIS, PDF).

``finding`` opens a file of the workspace or of the home; ``image`` and ``pdf`` hold one tool each; ``pages`` drives the
child process (``pdf_child``) that reads a document page by page, so that a hostile file cannot block the server.
"""

from crewlab.engine.agents.roster import Agent
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.documents.image import image_tool
from crewlab.engine.tools.documents.pdf import pdf_tool
from crewlab.engine.tools.family import FamilyParts

__all__ = ["family"]


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """Both tools; ``image_read`` only while a vision route can be asked (VIS-3), ``pdf_read`` always (PDF-7)."""
    reading = [pdf_tool(parts.texts, parts.home.root)]
    return [image_tool(parts.texts, parts.home.root), *reading] if parts.sees() else reading
