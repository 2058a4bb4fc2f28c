"""What the HTTP API says about requests it cannot answer, English."""

TEXTS = {
    "bad_request": "The request could not be read.",
    "bad_json": "The body is not a JSON object.",
    "bad_message": "The message could not be read: {problem}.",
    "forbidden": "Jupyter refused the request: sign in again, or send the server's token in the Authorization header.",
    "not_found": "There is nothing at this address.",
    "no_route": "crewlab has no route {method} {path}.",
    "wrong_method": "{path} does not take {method}; it takes {allowed}.",
    "too_large": "The body is larger than {limit} bytes. Send less.",
    "invalid": "{field}: {problem}.",
    "too_many": "Too many requests. Wait a moment, then try again.",
    "too_many_topics": "A connection carries at most {limit} topics. Unsubscribe from one first.",
    "message_too_large": "a message of a window is at most {limit} bytes",
    "unknown_topic": "There is no topic {topic!r}: name activity or conversation:<id>.",
    "internal": "crewlab failed on this request. The server's log has the cause under reference {reference}.",
    "unavailable": "crewlab is not available.",
    "starting": "crewlab is still starting. Try again in a few seconds.",
    "stopping": "crewlab is shutting down.",
    "failed_start": "crewlab could not start. The server's log has the cause under reference {reference}; mend it, then restart the Jupyter server.",
    "disabled": "crewlab is switched off on this server (CrewlabApp.enabled). Set it to true and restart the Jupyter server.",
}
