"""Vietnamese texts of exports."""

TEXTS: dict[str, str] = {
    "notice": "Hãy đọc hết trước khi chuyển cho người khác: tệp này có mọi thứ mà các công cụ đã chạm tới, như đầu ra của shell, trang web, tệp và những gì agent khác mang về. Các khóa đã biết được che đi; những bí mật khác thì không.",
    "run": "Lượt của {agent}",
    "steps": "Các bước",
    "messages": "Tin nhắn",
    "child": "Giao cho {agent} bởi {call}",
    "user": "Bạn",
    "assistant": "Agent",
    "call": "Gọi {name}",
    "result": "Kết quả của {name}",
    "cut": "[… cắt ở đây; toàn bộ kết quả có {chars} ký tự]",
    "untitled": "Cuộc trò chuyện",
}
