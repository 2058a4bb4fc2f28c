"""The child process of the local model: llama.cpp's HTTP server on loopback (LOC-5 to LOC-8).

Run by file path in an isolated interpreter; standard library and ``xllamacpp`` only. It reads one
JSON line from standard input (model, key, limits), writes one JSON line with its address or an
error, and then lives exactly as long as its parent: standard input at its end means that the
parent is gone, on Linux the kernel also ends it by signal.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any, BinaryIO

PR_SET_PDEATHSIG = 1
PROMPT_CACHE_MIB = 128  # prompts read before, kept so that going back to one is quick
NICENESS = 2  # the Jupyter server and its kernels come first


def die_with_parent(parent: int) -> None:
    """Ask Linux to end this process when its parent ends; elsewhere the watch thread does it alone."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(0)


def watch(stream: BinaryIO) -> None:
    """Leave at once when the parent closes its end."""
    while stream.read(1):
        pass
    os._exit(0)


def serve(config: dict[str, Any]) -> str:
    """Start the server and return its address."""
    sys.path.append(config["site"])
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = config["model"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [config["key"]]
    params.n_ctx = config["context"]
    params.n_parallel = 1
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.use_jinja = True
    params.ui = False
    params.verbosity = -1
    params.cpuparams.n_threads = config["threads"]
    params.cpuparams_batch.n_threads = config["threads"]
    server = xllamacpp.Server(params)
    globals()["_server"] = server  # the server lives as long as the process
    return str(server.listening_address)


def main() -> None:
    """Read the order, answer it, wait for the end."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what C++ prints goes to standard error
    config = json.loads(sys.stdin.buffer.readline())
    die_with_parent(config["parent"])
    os.nice(NICENESS)
    threading.Thread(target=watch, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        answer = {"address": serve(config)}
    except (ImportError, OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    out.write(json.dumps(answer) + "\n")
    out.flush()
    if "error" in answer:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the Jupyter server
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
