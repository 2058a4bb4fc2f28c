"""Cổng: các câu từ chối và những gì mô hình đọc sau một quyết định. Tiếng Việt."""

TEXTS: dict[str, str] = {
    "refused": "Lệnh gọi này bị từ chối và không sự chấp thuận nào thay đổi được. Chưa có gì được chạy.",
    "refused_prefix": "Bị từ chối, không sự chấp thuận nào thay đổi được: ",
    "deny_pattern": (
        'Lệnh này khớp với "{pattern}", điều mà tác nhân này không bao giờ được chạy, và không hỏi ai cả. Chưa có gì được chạy. Hãy dừng ở đây: '
        "nói rõ cần làm gì và vì sao để người dùng quyết định, và đừng tìm cách khác."
    ),
    "denied": (
        "Người dùng đã từ chối lệnh gọi này. Chưa có gì được chạy và không có gì thay đổi. Đừng làm lại, "
        "và đừng làm việc tương đương bằng công cụ khác."
    ),
    "expired": (
        "Không ai quyết định kịp hạn. Hành động chưa chạy và chưa có gì thay đổi. Đừng làm lại và đừng làm việc tương đương "
        "bằng công cụ khác; hãy nói với người dùng điều gì đang chờ chấp thuận."
    ),
    "cut_restart": (
        "Máy chủ khởi động lại khi lệnh gọi này đang chạy. Không rõ nó đã chạy hay chưa. Hãy kiểm tra hiện trạng trước khi quyết định làm gì."
    ),
    "cut_stop": (
        "Người dùng đã dừng lượt khi lệnh gọi này đang chạy. Không rõ nó đã chạy hay chưa. Hãy kiểm tra hiện trạng trước khi quyết định làm gì."
    ),
    "not_run_stop": "Người dùng đã dừng lượt trước lệnh gọi này. Nó chưa chạy.",
    "not_run_restart": "Máy chủ khởi động lại trước lệnh gọi này. Nó chưa chạy.",
    "not_run_halt": "Lượt kết thúc trước lệnh gọi này. Nó chưa chạy.",
    "not_run_fork": "Lệnh gọi này còn mở ở chỗ cuộc trò chuyện được sao chép. Nó không chạy ở đây, và không sự chấp thuận nào được sao chép.",
    "tool_gone": 'Lệnh gọi đã được chấp thuận, nhưng tác nhân không còn công cụ "{name}". Nó chưa chạy và không có gì thay đổi.',
    "agent_gone": "Tác nhân của cuộc trò chuyện này đã bị gỡ. Lệnh gọi chưa chạy và không có gì thay đổi.",
    # cho người dùng, qua API (GATE-47)
    "unknown_approval": "Không có yêu cầu như vậy.",
    "not_pending": "Yêu cầu này đã được quyết định ({status}).",
    "too_late": "Yêu cầu này đã quá hạn; lệnh gọi chưa chạy.",
    "conversation_busy": "Cuộc trò chuyện này đang được tiếp tục; hãy xem lại sau giây lát.",
    "is_question": "Đây là một câu hỏi: hãy gửi câu trả lời, không phải quyết định.",
    "is_tool": "Đây là yêu cầu dùng công cụ: hãy chấp thuận hoặc từ chối.",
    "pending": "Một yêu cầu của cuộc trò chuyện này đang chờ quyết định; hãy quyết định trước.",
}
