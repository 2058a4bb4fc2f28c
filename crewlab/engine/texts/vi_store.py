"""Vietnamese texts of the store."""

TEXTS = {
    "newer": (
        "{file} do một bản crewlab mới hơn ghi (lược đồ {found}; bản này chỉ biết đến {known}). "
        "Hãy cài lại bản mới hơn, hoặc chuyển tệp này đi nơi khác để bắt đầu với kho trống."
    ),
    "unusable": "Không mở được {file} làm kho: {error}. Hãy kiểm tra thư mục ghi được và còn chỗ. Nếu tệp hỏng, hãy chuyển nó đi và đặt bản sao vào; crewlab sẽ chạy với bản đó.",
    "unwritable": "Không ghi được {file}: {error}. Hãy giải phóng ổ đĩa hoặc cấp quyền ghi cho máy chủ, rồi khởi động lại.",
}
