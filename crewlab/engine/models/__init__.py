"""Model providers: routes, adapters, the chain with retry and fallback, metering.

Stands on ``home``, ``texts`` and ``errors``; knows nothing of turns, tools or the store.
"""
