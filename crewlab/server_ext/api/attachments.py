"""Files attached to a conversation (PTL-89, PTL-90). Their bytes are served as untrusted, as those of a workspace are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.records import Record
from crewlab.engine.store.attachments import StoredAttachment
from crewlab.engine.turn.attachments import Given
from crewlab.server_ext.api.files import BYTES, IN_PLACE, headers_of, suffix
from crewlab.server_ext.routing import Served, Upload

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class NewAttachment(Record):
    """A file that was taken in; ``path`` is its place in the inbox of the master."""

    id: str
    name: str
    type: str
    size: int
    chars: int | None
    path: str | None


class Attachment(Record):
    """An attached file in the list."""

    id: str
    name: str
    type: str
    size: int
    chars: int | None
    indexed: bool
    error: str | None
    created_at: str


class AttachmentList(Record):
    """The attached files of a conversation, in the order they came."""

    attachments: list[Attachment]


async def add(crew: Crew, id: str, file: Upload) -> NewAttachment:
    """Attach one file."""
    stored = await crew.attached.add(id, Given(file.name, file.data, file.type))
    return NewAttachment(id=stored.id, name=stored.name, type=stored.type, size=stored.size, chars=stored.chars, path=stored.path)


async def list_attachments(crew: Crew, id: str) -> AttachmentList:
    """What is attached to the conversation."""
    return AttachmentList(attachments=[_shown(file) for file in crew.attached.list(id)])


async def read(crew: Crew, id: str, attachment_id: str) -> Served:
    """The bytes of one attached file."""
    file, data = await crew.attached.read(id, attachment_id)
    content_type = IN_PLACE.get(suffix(file.name), BYTES)
    return Served(data, content_type, headers_of(file.name, content_type))


async def delete(crew: Crew, id: str, attachment_id: str) -> None:
    """Take a file out of the conversation; a copy in the inbox stays."""
    crew.attached.delete(id, attachment_id)


def _shown(file: StoredAttachment) -> Attachment:
    return Attachment(
        id=file.id,
        name=file.name,
        type=file.type,
        size=file.size,
        chars=file.chars,
        indexed=file.indexed,
        error=file.error,
        created_at=file.created_at,
    )
