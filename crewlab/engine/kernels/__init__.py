"""Kernels of agents and the live notebook. Stands on ``tools``; built in a later part."""
