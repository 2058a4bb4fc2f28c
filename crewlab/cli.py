"""The command ``crewlab``: reads the arguments, hands over to ``crewlab.commands``. Imports little, so that it answers at once."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from crewlab._version import __version__
from crewlab.engine.errors import CrewError
from crewlab.engine.home.language import language_of, language_of_environment
from crewlab.engine.home.layout import HOME_VARIABLE, Home
from crewlab.engine.texts import Texts

FAILED = 1  # AGT-4, DB-12
MAX_PORT = 65_535


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Errors the person can mend are one sentence on stderr."""
    environ = dict(os.environ)
    texts = Texts(language_of_environment(environ) or "en")
    parser = build_parser(texts)
    arguments, further = parser.parse_known_args(argv)
    if further and arguments.command != "serve":
        parser.error(texts("cli.unknown_arguments", arguments=" ".join(further)))
    home = _home(arguments, environ)
    if arguments.command != "serve":  # which reads nothing of a home before it holds it (DB-12)
        texts = Texts(language_of(home, environ) or "en")
    try:
        return _run(arguments, further, home, environ, texts)
    except CrewError as error:
        print(error.message, file=sys.stderr)
        return FAILED


def build_parser(texts: Texts) -> argparse.ArgumentParser:
    """The parser of all commands, its help in the language of ``texts``."""
    parser = argparse.ArgumentParser(prog="crewlab", description=texts("cli.about"))
    parser.add_argument("--version", action="version", version=f"crewlab {__version__}")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--home", metavar="DIR", type=Path, help=texts("cli.help_home"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", parents=[shared], help=texts("cli.help_serve"), description=texts("cli.about_serve"))
    serve.add_argument("--port", type=_port(texts), help=texts("cli.help_port"))
    serve.add_argument("--no-schedule", dest="schedule", action="store_false", help=texts("cli.help_no_schedule"))
    serve.add_argument("--no-browser", dest="browser", action="store_false", help=texts("cli.help_no_browser"))

    agent = commands.add_parser("agent", help=texts("cli.help_agent")).add_subparsers(dest="action", required=True, metavar="ACTION")
    agent.add_parser("list", parents=[shared], help=texts("cli.help_agent_list"))
    agent.add_parser("templates", parents=[shared], help=texts("cli.help_agent_templates"))
    taken = agent.add_parser("add", parents=[shared], help=texts("cli.help_agent_add"))
    taken.add_argument("template", metavar="TEMPLATE")
    taken.add_argument("--workspace", metavar="DIR", help=texts("cli.help_agent_workspace"))

    local = commands.add_parser("local", help=texts("cli.help_local")).add_subparsers(dest="action", required=True, metavar="ACTION")
    local.add_parser("install", parents=[shared], help=texts("cli.help_local_install"))
    add = local.add_parser("add", parents=[shared], help=texts("cli.help_local_add"))
    add.add_argument("file", type=Path, metavar="FILE.gguf")

    commands.add_parser("doctor", parents=[shared], help=texts("cli.help_doctor"))
    return parser


def _run(arguments: argparse.Namespace, further: list[str], home: Home, environ: Mapping[str, str], texts: Texts) -> int:
    if arguments.command == "serve":
        from crewlab.commands.serve import serve

        return serve(
            home, environ, texts, port=arguments.port, schedule=arguments.schedule, browser=arguments.browser, jupyter_arguments=further
        )
    if arguments.command == "agent":
        return _agent(arguments, home, environ, texts)
    if arguments.command == "local":
        from crewlab.commands.local import add_model, install_model

        return install_model(home, texts) if arguments.action == "install" else add_model(home, arguments.file, texts)
    from crewlab.commands.doctor import doctor

    return doctor(home, environ, texts)


def _agent(arguments: argparse.Namespace, home: Home, environ: Mapping[str, str], texts: Texts) -> int:
    from crewlab.commands.agents import add_agent, list_agents, list_templates

    if arguments.action == "add":
        return add_agent(home, environ, texts, arguments.template, arguments.workspace)
    return list_templates(texts) if arguments.action == "templates" else list_agents(home, environ, texts)


def _home(arguments: argparse.Namespace, environ: dict[str, str]) -> Home:
    """The home of ``--home``, else of the environment; ``environ`` is told, so that all read the same."""
    if arguments.home is not None:
        environ[HOME_VARIABLE] = str(arguments.home)
    return Home.locate(environ)


def _port(texts: Texts) -> Callable[[str], int]:
    """The reader of ``--port``; 0 lets the system choose."""

    def read(written: str) -> int:
        if not written.isascii() or not written.isdigit() or int(written) > MAX_PORT:
            raise argparse.ArgumentTypeError(texts("cli.bad_port", port=written, max=MAX_PORT))
        return int(written)

    return read


if __name__ == "__main__":
    sys.exit(main())
