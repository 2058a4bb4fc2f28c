"""Questions to the person: the tool ``ask_user``, its refusals and its answers. English."""

TEXTS: dict[str, str] = {
    "description": (
        "Ask the person one question and wait for the answer. Use it at a real fork that changes what you do next, not for what you can "
        "find out yourself and not to ask for permission. Never write a question as a chat message instead: that ends the turn. "
        "Nobody may be watching, so always pass `default`: it holds when nobody answers, and you then say in your answer that you decided "
        "it yourself. The answer begins with a line such as answer=chosen or answer=text."
    ),
    "question": "What to ask: one question, at most 1,000 characters.",
    "options": "At most 20 choices: plain strings, or objects with label, description and suggested.",
    "label": "The words of the choice, one line.",
    "option_description": "What choosing it means.",
    "suggested": "True for the one choice you suggest; at most one.",
    "default_parameter": "What you go on with when nobody answers. Without free text it is the label of an option.",
    "context": "Why you ask and what the answer changes, at most 2,000 characters.",
    "allow_free_text": "Whether a typed answer is taken; true when left out.",
    "multi_select": "Whether several options may be chosen; false when left out.",
    "reason": "The agent asks you a question.",
    # refusals: nobody is asked
    "empty": "The question is empty; nobody was asked. Write what you want to know.",
    "nothing_to_take": "Without options and without free text no answer is possible; nobody was asked. Give options or allow free text.",
    "several_of_none": "multi_select needs options; nobody was asked. Give options or leave multi_select out.",
    "empty_label": "An option has an empty label; nobody was asked. Give every option words of its own.",
    "label_twice": "Two options have the same label; nobody was asked. Give each option once.",
    "suggested_twice": "More than one option is suggested; nobody was asked. Suggest at most one.",
    "default_no_option": "Without free text, default must be the label of an option; nobody was asked.",
    "asked_before": (
        "You asked this in this turn already and got no answer; nobody is asked again. Go on with an assumption that you state, "
        "and do not ask again."
    ),
    "unavailable": "Nobody can be asked here. Go on with an assumption that you state, or stop and say what is missing.",
    # what is read below the first line of the answer
    "skipped": "The person skipped the question. Go on with an assumption that you state, and do not ask again.",
    "timeout": (
        "Nobody answered in time, and there is no default. Go on with an assumption that you state, or stop and say what is missing; "
        "do not ask again."
    ),
    "default": "Nobody answered in time, so the default holds. Go on with it and say in your answer that you decided this yourself.",
    # for the person, through the API (ASKU-9)
    "answer_empty": "The answer is empty. Choose an option or write something; or skip the question.",
    "answer_no_text": "This question takes one of its options, no other words.",
    "answer_one": "This question takes one option only.",
    "answer_unknown": "This question has no such option.",
    "answer_long": "The answer is too long.",
}
