"""What annotations need. At run time light stand-ins: ``typing`` alone would double the time a child needs to start."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable as Callable
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from typing import Any as Any
    from typing import Protocol as Protocol
else:

    class Callable:
        """Stands for every generic class."""

        def __class_getitem__(cls, item):
            return cls

    Iterable = Iterator = Mapping = Sequence = Callable
    Any = Protocol = object
