"""The interpreter of the script language. Run by path in a bare isolated child: standard library only, no import of ``crewlab``.

``check`` refuses what is not in the language, ``compiling`` turns the checked tree into closures once, ``session`` speaks with the server.
Texts for the model come from the server with the script (``words``), so no sentence stands here.
"""
