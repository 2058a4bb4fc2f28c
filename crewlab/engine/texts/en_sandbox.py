"""The sandbox of commands: why it cannot be had, why a command was not started. English."""

TEXTS: dict[str, str] = {
    "missing_bwrap": "bwrap is not installed: install the package bubblewrap and start the server again.",
    "missing_namespaces": (
        "The kernel refuses new namespaces: allow unprivileged user namespaces for this user, or run the server where they are allowed. {said}"
    ),
    "missing_landlock": "The kernel has no Landlock network rules (Linux 6.7 or newer has them); shell_network: false works here.",
    "missing_processor": "The sandbox knows the processors x86_64 and aarch64 only.",
    "missing_sandbox_exec": "/usr/bin/sandbox-exec is missing or does not work. {said}",
    "missing_system": "This operating system has no sandbox for commands: use Linux with bubblewrap, or macOS.",
    "refused": (
        "This agent's commands run in a sandbox only, and it cannot be built here: {reason} Nothing ran. "
        "Tell the person; no other command and no approval changes this."
    ),
    "leads_out": "An entry of shell_write_paths ({entries}) leads out of the workspace. Nothing ran. Tell the person which links are there.",
    "guards": "An entry of shell_write_paths ({entries}) would open the crew's own files to commands. Nothing ran. Tell the person.",
    "unusable": "An entry of shell_write_paths ({entries}) cannot be used as a folder, or changed while it was looked at. Nothing ran.",
    "not_started": "The sandbox could not be built, so the command was not started: {said}",
}
