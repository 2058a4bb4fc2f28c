"""The tool contract, the registry, the output ceiling and the small families.

Families stand on the contract and never on one another.
"""
