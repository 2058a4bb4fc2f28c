"""Runs one hook with its input on standard input, and prints how it ended as one line of JSON (KIT-16).

Run as ``python -I -S -B -c <this text> <piece>…`` with the standard library only, under the guardian or in the sandbox: both give
a command neither a standard input nor two separate outputs. The pieces are one text: base64 of packed JSON with ``command``,
``input``, ``variables`` and ``most``, how many bytes of each output are kept.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import threading
import zlib
from typing import IO

LATE_SECONDS = 1.0  # for what is in the pipes when the hook has ended
CHUNK = 65536


def collect(pipe: io.BufferedReader, kept: bytearray, most: int) -> None:
    """Read to the end and keep the beginning."""
    while True:
        chunk = pipe.read1(CHUNK)
        if not chunk:
            return
        if len(kept) < most:
            kept += chunk[: most - len(kept)]


def feed(pipe: IO[bytes], data: bytes) -> None:
    """Give the input; a hook may end without reading it."""
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        return


def main() -> None:
    """Run the hook of the arguments."""
    job = json.loads(zlib.decompress(base64.b64decode("".join(sys.argv[1:]))))
    environment = {name: value for name, value in os.environ.items() if name != "LC_CTYPE"}  # Python's own
    environment.update(job["variables"])
    process = subprocess.Popen(
        ["/bin/sh", "-c", job["command"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    out, err = bytearray(), bytearray()
    assert process.stdin is not None
    threads = [
        threading.Thread(target=collect, args=(process.stdout, out, job["most"]), daemon=True),
        threading.Thread(target=collect, args=(process.stderr, err, job["most"]), daemon=True),
        threading.Thread(target=feed, args=(process.stdin, job["input"].encode()), daemon=True),
    ]
    for thread in threads:
        thread.start()
    code = process.wait()
    for thread in threads:
        thread.join(LATE_SECONDS)
    ended = {"code": code, "out": bytes(out).decode("utf-8", "replace"), "err": bytes(err).decode("utf-8", "replace")}
    sys.stdout.write(json.dumps(ended))
    sys.stdout.flush()
    os._exit(0)  # a process that the hook left behind holds a pipe, and with it a thread


if __name__ == "__main__":
    main()
