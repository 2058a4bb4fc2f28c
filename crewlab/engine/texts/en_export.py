"""English texts of exports."""

TEXTS: dict[str, str] = {
    "notice": "Read this through before you pass it on: it holds everything the tools touched, such as shell output, web pages, files and what other agents brought back. Known keys are masked; other secrets are not.",
    "run": "Turn of {agent}",
    "steps": "Steps",
    "messages": "Messages",
    "child": "Delegated to {agent} by {call}",
    "user": "You",
    "assistant": "Agent",
    "call": "Call of {name}",
    "result": "Result of {name}",
    "cut": "[… cut here; the whole result has {chars} characters]",
    "untitled": "Conversation",
}
