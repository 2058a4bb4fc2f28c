"""Cổng: các câu từ chối và những gì mô hình đọc sau một quyết định. Tiếng Việt."""

TEXTS: dict[str, str] = {
    "refused": "Lệnh gọi này bị từ chối và không sự chấp thuận nào thay đổi được. Chưa có gì được chạy.",
    "refused_prefix": "Bị từ chối, không sự chấp thuận nào thay đổi được: ",
    "deny_pattern": (
        'Lệnh này khớp với "{pattern}", điều mà agent này không bao giờ được chạy, và không hỏi ai cả. Chưa có gì được chạy. Hãy dừng ở đây: '
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
    "tool_gone": 'Lệnh gọi đã được chấp thuận, nhưng agent không còn công cụ "{name}". Nó chưa chạy và không có gì thay đổi.',
    "agent_gone": "Agent của cuộc trò chuyện này đã bị gỡ. Lệnh gọi chưa chạy và không có gì thay đổi.",
    # cho người dùng, qua API (GATE-47)
    "late_approved": "Quá muộn: yêu cầu này đã được chấp thuận.",
    "late_denied": "Quá muộn: yêu cầu này đã bị từ chối. Lệnh gọi chưa chạy.",
    "late_answered": "Quá muộn: câu hỏi này đã được trả lời.",
    "late_skipped": "Quá muộn: câu hỏi này đã được bỏ qua.",
    "late_expired": "Quá muộn: yêu cầu này đã quá hạn và được đóng là hết hạn.",
    "conversation_busy": "Cuộc trò chuyện này đang chạy một lượt. Hãy xem lại sau giây lát.",
    "is_question": "Đây là một câu hỏi: hãy trả lời hoặc bỏ qua, không phải chấp thuận hay từ chối.",
    "one_of_three": "Hãy gửi đúng một trong `decision`, `answer` và `skip`.",
    "is_tool": "Đây là yêu cầu dùng công cụ: hãy chấp thuận hoặc từ chối.",
}
