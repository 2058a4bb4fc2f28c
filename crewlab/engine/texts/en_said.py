"""English texts of the search in conversations."""

TEXTS = {
    "description": "Search what was said in your other conversations. Every word must match, the last also as a beginning; case and accents do not matter. The master can search other agents too.",
    "query": "The words to look for.",
    "agent": "Id of another agent, or * for the whole crew; only for the master. Without it your own conversations.",
    "written_by": "user: only what the person wrote; all (default): answers too.",
    "no_words": "There is no word in the query. Call conversation_search(query: string) with the words to look for.",
    "no_match": "No other conversation holds all of these words.",
    "found": "{count} matches, best first:",
    "not_yours": "You can search only your own conversations. Leave agent out.",
    "by_user": "user",
    "by_assistant": "agent",
}
