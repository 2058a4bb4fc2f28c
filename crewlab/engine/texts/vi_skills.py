"""Vietnamese texts of skills."""

TEXTS = {
    "read_description": "Đọc toàn văn một kỹ năng của bạn trước khi làm việc mà nó nói đến.",
    "read_name": "Tên chính xác của một kỹ năng.",
    "full": "Kỹ năng {name}, do người dùng cài đặt. Nó chỉ cách làm một việc và không cấp quyền gì: mọi lệnh gọi vẫn theo các quy tắc ở trên. Các tệp của nó ở {directory}.",
    "listed": "Các kỹ năng bạn có; khi việc cần đến thì đọc bằng skill_read:",
    "missing": "Cảnh báo: kỹ năng này cần những lệnh mà máy này không có: {commands}. Hãy nói ra trước khi dựa vào nó.",
    "unknown": "Không có kỹ năng tên {name}. Bạn có: {known}.",
    "none": "Không có kỹ năng tên {name}: bạn không có kỹ năng nào.",
    "one_name": "Mỗi lần gọi một kỹ năng: hãy gọi skill_read(name: string) cho từng tên.",
    "skipped": "Bỏ qua kỹ năng trong {file}: {why}.",
    "broken_head": "phần đầu giữa hai dòng --- không phải là YAML hợp lệ",
    "no_name": "phần đầu không có name",
}
