"""Vietnamese texts of the store."""

TEXTS = {
    "newer": (
        "{file} do một bản crewlab mới hơn ghi (lược đồ {found}; bản này chỉ biết đến {known}). "
        "Hãy cài lại bản mới hơn, hoặc chuyển tệp này đi nơi khác để bắt đầu với kho trống."
    ),
}
