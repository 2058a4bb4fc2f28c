"""The one way in which anything opens a connection for an agent: resolve, judge every address, connect to a judged one.

Stands on the ground; tools, families and channels stand on it.
"""
