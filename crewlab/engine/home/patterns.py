"""The three lists of fragments as people write them (GATE-19 to GATE-23, SHL-22 to SHL-34)."""

from __future__ import annotations

from collections.abc import Iterable

DEFAULT_ASK_PATTERNS = (  # GATE-19, SHL-23: character for character
    "rm -rf",
    "rm -r ",
    "sudo ",
    "| sh",
    "| bash",
    "mkfs",
    "git push --force",
    "git reset --hard",
    "> /dev/",
    "chmod -R",
    "launchctl",
)
ALLOW_CHARS = 2  # GATE-23: a shorter allow pattern is dropped
SEEMING_WILDCARDS = frozenset({"*", ".*", ".", "-", "--", "/", "&&", "||", ";", "|"})  # GATE-23

# fmt: off
DEFAULT_STOP_WORDS = (  # BRW-77
    "mua", "thanh toán", "đặt hàng", "đặt mua", "gửi", "xoá", "xóa", "huỷ đơn", "hủy đơn", "xác nhận", "đồng ý", "chuyển khoản",
    "chuyển tiền", "đăng xuất", "pay", "buy", "purchase", "order", "checkout", "check out", "submit", "send", "delete", "remove",
    "confirm", "agree", "transfer", "publish", "post", "log out", "logout", "sign out", "trả tiền", "nạp tiền", "rút tiền",
    "đặt cọc", "đặt chỗ", "đặt vé", "đặt phòng", "đăng ký", "chấp nhận", "nộp", "subscribe", "accept", "book now", "withdraw",
    "deposit", "donate", "bid",
)
# fmt: on


def first_match(text: str, patterns: Iterable[str]) -> str | None:
    """The first pattern that occurs in ``text`` whatever the case, as written (SHL-26, SHL-27). An empty pattern names nothing."""
    folded = text.casefold()
    return next((pattern for pattern in patterns if pattern and pattern.casefold() in folded), None)


def split_fence_patterns(items: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The ask or deny patterns that stand, those dropped because they are empty, and those that stand but look like more (SHL-36).

    A short or wildcard-looking item is kept as it is written: dropping it there would weaken the fence.
    """
    kept: list[str] = []
    dropped: list[str] = []
    odd: list[str] = []
    for item in items:
        bare = item.strip()
        (kept if bare else dropped).append(item)
        if bare and (len(bare) < ALLOW_CHARS or bare in SEEMING_WILDCARDS):
            odd.append(item)
    return tuple(kept), tuple(dropped), tuple(odd)


def split_allow_patterns(items: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The allow patterns that stand, and those that are dropped (GATE-23).

    Dropping fails safe: the command then asks. Kept items are not trimmed (SHL-26).
    """
    kept: list[str] = []
    dropped: list[str] = []
    for item in items:
        bare = item.strip()
        (dropped if len(bare) < ALLOW_CHARS or bare in SEEMING_WILDCARDS else kept).append(item)
    return tuple(kept), tuple(dropped)


def split_stop_words(items: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stop words, trimmed, and those dropped because they hold no letter or digit (BRW-83)."""
    kept: list[str] = []
    dropped: list[str] = []
    for item in items:
        word = item.strip()
        if any(sign.isalnum() for sign in word):
            kept.append(word)
        else:
            dropped.append(item)
    return tuple(kept), tuple(dropped)
