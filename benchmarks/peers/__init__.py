"""What is measured side by side: crewlab, the bare floor, and other agent frameworks doing the same turn.

One module per peer, each with classes that fulfil ``scripted.Peer``. Only `crew.py` needs crewlab, and only
the frameworks' own modules need the packages of `requirements.txt`.
"""
