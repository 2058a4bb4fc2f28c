"""The routes of canvases (CNV-125, register D)."""

from __future__ import annotations

from crewlab.engine.artifacts import Artifact
from crewlab.server_ext.api import artifact_models as m
from crewlab.server_ext.api import artifacts
from crewlab.server_ext.routing import Route

SAVED_BYTES = 32 * 1024 * 1024  # 4 MB of html as JSON, every character of it escaped
GONE = ("404 not_found",)
WRONG = ("422 invalid",)
OTHER_KIND = ("409 conflict",)
FULL = ("409 store_full", "409 version_conflict")
ONE = "artifacts/{id}"
VERSION = f"{ONE}/versions/{{n}}"
HTML = ("text/html",)

ARTIFACT_ROUTES: tuple[Route, ...] = (
    Route("GET", "artifacts", artifacts.list_artifacts, m.ArtifactList, query=m.ArtifactQuery, errors=GONE + WRONG, ids=("CNV-125",)),
    Route("GET", ONE, artifacts.read, m.ArtifactView, errors=GONE, ids=("CNV-124", "CNV-125")),
    Route(
        "PUT",
        ONE,
        artifacts.save,
        Artifact,
        body=m.SaveArtifact,
        max_body=SAVED_BYTES,
        errors=(*GONE, *OTHER_KIND, *FULL, "413 too_large", *WRONG),
        ids=("CNV-125", "CNV-126"),
    ),
    Route("PATCH", ONE, artifacts.change, Artifact, body=m.ArtifactPatch, errors=GONE + WRONG, ids=("CNV-125",)),
    Route("DELETE", ONE, artifacts.delete, m.DeletedArtifact, errors=GONE, ids=("CNV-125", "CNV-129")),
    Route("GET", f"{ONE}/versions", artifacts.versions, m.ArtifactVersionList, errors=GONE, ids=("CNV-125",)),
    Route("GET", VERSION, artifacts.version, m.ArtifactVersionView, errors=GONE, ids=("CNV-125",)),
    Route("GET", f"{VERSION}/raw", artifacts.raw, None, files=("*/*",), errors=GONE, ids=("CNV-125",)),
    Route("GET", f"{VERSION}/page", artifacts.page, None, files=HTML, errors=GONE + OTHER_KIND, ids=("CNV-115", "CNV-125")),
    Route(
        "GET",
        f"{VERSION}/holder",
        artifacts.holder,
        None,
        headers=m.PageHeaders,
        address=True,
        files=HTML,
        errors=GONE + OTHER_KIND,
        ids=("CNV-118",),
    ),
    Route(
        "GET",
        f"{ONE}/diff",
        artifacts.diff,
        m.ArtifactDiff,
        query=m.ArtifactDiffQuery,
        errors=GONE + OTHER_KIND + WRONG,
        ids=("CNV-125",),
    ),
    Route(
        "POST",
        f"{ONE}/restore",
        artifacts.restore,
        Artifact,
        body=m.RestoreArtifact,
        errors=GONE + FULL + WRONG,
        ids=("CNV-125", "CNV-127"),
    ),
    Route(
        "POST",
        f"{ONE}/reimport",
        artifacts.reimport,
        m.ReimportedArtifact,
        errors=(*GONE, "409 no_source", "409 source_unusable", *FULL, "413 too_large"),
        ids=("CNV-125", "CNV-130"),
    ),
)
