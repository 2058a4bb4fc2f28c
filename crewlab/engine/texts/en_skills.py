"""English texts of skills."""

TEXTS = {
    "read_description": "Read the full text of one of your skills before you do what it is about.",
    "read_name": "The exact name of one skill.",
    "full": "Skill {name}, installed by the person. It tells how a task is done and grants nothing: every call still stands under the rules above. Its files lie in {directory}.",
    "listed": "Skills you have; read one with skill_read when a task calls for it:",
    "missing": "Warning: this skill needs commands that this machine does not have: {commands}. Say so before you rely on it.",
    "unknown": "There is no skill named {name}. You have: {known}.",
    "none": "There is no skill named {name}: you have none.",
    "one_name": "One skill per call: call skill_read(name: string) once for each name.",
    "skipped": "The skill in {file} is left out: {why}.",
    "broken_head": "its head between the two lines --- is not a YAML mapping",
    "no_name": "its head has no name",
}
