"""The routes of attached files (PTL-89, PTL-90)."""

from __future__ import annotations

from crewlab.server_ext.api import attachments as a
from crewlab.server_ext.routing import Route

PATH = "conversations/{id}/attachments"
GONE = ("404 not_found",)

ATTACHMENT_ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        PATH,
        a.add,
        a.NewAttachment,
        status=201,
        upload=True,
        errors=(*GONE, "409 too_many_attachments", "413 too_large", "422 invalid"),
        ids=("PTL-89",),
    ),
    Route("GET", PATH, a.list_attachments, a.AttachmentList, errors=GONE, ids=("PTL-90",)),
    Route("GET", PATH + "/{attachment_id}", a.read, None, files=("*/*",), errors=GONE, ids=("PTL-90", "CHN-66")),
    Route("DELETE", PATH + "/{attachment_id}", a.delete, None, status=204, errors=GONE, ids=("PTL-90",)),
)
