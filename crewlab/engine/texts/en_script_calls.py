"""What a script is told about its calls, and what people read about them (SCR-97 to SCR-101, SCR-176, SCR-187). English."""

TEXTS: dict[str, str] = {
    "args_wrong": "{problems} Nothing ran.\nUsage: {form}",
    "classify_failed": "the model did not answer with exactly one of labels",
    "cut": "The script ended before this call answered; it may have run.",
    "error": "Tool error: {message}",
    "llm_failed_why": "The model could not be asked: {why}",
    "llm_form": (
        "llm.classify(text, labels) or llm.summarise(text, max_chars=500): text of 1 to 20,000 characters, 2 to 20 different labels, "
        "max_chars from 1 to 4,000"
    ),
    "llm_off": "a model cannot be asked here",
    "llm_said": "The model answered: {said}",
    "more": "[{more} more characters, read on with tools.tool_output_read(id={id}, offset={offset})]",
    "summarise_failed": "the model gave no summary",
    "unknown": "There is no tool {name}. tools.names() lists the tools a script may call, tools.search finds one by words.",
    "unknown_near": (
        "There is no tool {name}; did you mean {near}? tools.names() lists the tools a script may call, tools.search finds one by words."
    ),
}
