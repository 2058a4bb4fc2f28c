"""The scheduler: a clock around the loop that never changes it (JOB-1).

``table`` says which jobs there are (profiles and schedules from conversations), ``scheduler`` when they run and what a person
may do to them, ``running`` runs one, ``streak`` counts failures, ``record`` is what faces see.
"""
