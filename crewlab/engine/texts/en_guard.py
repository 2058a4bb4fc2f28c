"""What the guard says when it refuses a request, English."""

TEXTS = {
    "host": "This server does not answer under the name {host!r}. Open it by IP address or as localhost, or add the name to CREWLAB_ALLOWED_HOSTS.",
    "origin": "A page of {origin!r} may not talk to crewlab at {host!r}. Open JupyterLab at the address that the request goes to.",
    "origin_null": "A page without an origin of its own (a sandboxed or local page) may not talk to crewlab at {host!r}.",
    "url_token": "A request to {host!r} that changes something must carry the token in the Authorization header, not in the address.",
    "cookie_alone": "A request to {host!r} that changes something needs the X-XSRFToken header or an Authorization header; a cookie alone is not enough.",
}
