"""Every number of the language and of what one script may use (SCR-220)."""

from __future__ import annotations

MAX_STEPS = 2_000_000  # SCR-50
MAX_VALUE = 8_000_000  # SCR-52: elements or characters of one value
MAX_BITS = 256  # SCR-53
BOUND = 1 << MAX_BITS  # an integer lies strictly between -BOUND and BOUND
SMALL = 1 << (MAX_BITS // 2)  # a product of two such integers cannot exceed the bound
MAX_MEMORY = 256 * 1024 * 1024  # SCR-55
BIG_RESULT = 1_000_000  # SCR-55: a result estimated at so many bytes is compared with what is held before it is made
STEPS_BETWEEN_MEASURES = 5_000  # SCR-55
MAX_CALL_DEPTH = 40  # SCR-57
MAX_SOURCE_DEPTH = 200  # SCR-24
MAX_DATA_DEPTH = 100  # SCR-51
MAX_PRINTED = 60_000  # SCR-66
MAX_NUMBER_TEXT = 400  # SCR-40: text of int() and float()
MAX_NEEDLE = 1_000  # SCR-44
MAX_WIDTH = 10_000  # SCR-45
MAX_PRECISION = 100  # SCR-45
MAX_ROUND = 100  # SCR-41: ndigits of round()
MAX_INDENT = 8  # SCR-41: indent of json.dumps
MAX_JSON_DIGITS = 78  # SCR-54
MAX_MESSAGE = 2_000  # SCR-63
MAX_CALLERS = 5  # SCR-60
MAX_CALLS = 25  # SCR-103
MAX_QUESTIONS = 10  # SCR-172
MAX_LOOKUPS = 40  # SCR-107
MAX_LOOKUP_TEXT = 1_000  # SCR-108
MAX_FOUND = 10  # SCR-108
DEFAULT_FOUND = 5  # the table of lookups
MAX_BATCH = 10  # SCR-111
MAX_ARGUMENTS = 100_000  # SCR-94
MAX_KEY = 200  # STO-4
MAX_STORED = 65_536  # STO-10
MAX_NAMESPACE = 262_144  # STO-10
MAX_QUESTION_TEXT = 20_000  # SCR-170
LABELS = (2, 20)  # SCR-170
MAX_LABEL = 100  # SCR-170
MAX_SUMMARY = 4_000  # SCR-170
DEFAULT_SUMMARY = 500  # SCR-165
TEXT_PER_STEP = 1_000  # SCR-50: characters of text read or written
COPIED_PER_STEP = 100  # SCR-50: elements copied or scanned
HASHED_PER_STEP = 10  # SCR-50: elements put into a dict or set
SORT_DIVISOR = 20  # SCR-50
CASE_PER_STEP = 100  # SCR-241: changing case costs ten times reading
