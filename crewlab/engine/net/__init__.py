"""The one way in which anything opens a connection for an agent: resolve, judge every address, connect to a judged one.

``address`` reads an address strictly, ``ranges`` judges one IP address, ``guard`` resolves, judges and dials, ``request``
makes one bounded HTTP request through it. Stands on the ground; tools, families and channels stand on it.
"""
