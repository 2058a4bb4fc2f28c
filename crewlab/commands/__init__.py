"""The commands of ``crewlab``, one module each: ``serve``, ``agent``, ``local``, ``doctor``.

May import ``engine``; imports Jupyter only inside functions. Each command is a function that
returns the exit code and writes for people; what it cannot do it raises as ``CrewError``.
"""
