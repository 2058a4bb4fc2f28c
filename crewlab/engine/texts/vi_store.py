"""Vietnamese texts of the store."""

TEXTS = {
    "no_database": "đó không phải là cơ sở dữ liệu SQLite",
    "broken": (
        "Không dùng được {file} làm kho ({error}). Hãy đặt một bản sao lưu vào chỗ đó, hoặc chuyển nó đi cùng các tệp -wal và -shm "
        "để bắt đầu với kho trống; rồi khởi động lại."
    ),
    "newer": (
        "{file} do một bản crewlab mới hơn ghi (lược đồ {found}; bản này chỉ biết đến {known}). "
        "Hãy cài lại bản mới hơn, hoặc chuyển tệp này đi nơi khác để bắt đầu với kho trống."
    ),
    "unwritable": "Không ghi được {file}: {error}. Hãy giải phóng ổ đĩa hoặc cấp quyền ghi cho máy chủ, rồi khởi động lại.",
}
