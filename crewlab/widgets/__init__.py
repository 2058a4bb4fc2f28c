"""anywidget components. Speak HTTP through ``crewlab.notebook``; their front end is built from ``labextension/src/shared``."""
