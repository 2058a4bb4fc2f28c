"""Kits: what people already have for other assistants, read as it is from ``.agents``, ``.claude`` and ``.opencode`` (KIT-1 to KIT-20).

``folders`` finds and reads files, ``commands`` makes slash commands of them, ``hooks`` what is asked before and
after a call; ``running`` asks them, through ``hook_child`` (standard library alone). ``service`` puts them together for one crew.
Stands on ``agents``, ``home``, ``sandbox`` and the ground; a kit can refuse and add, and never grants anything.
"""
