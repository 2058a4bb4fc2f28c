"""Vietnamese: kits."""

TEXTS: dict[str, str] = {
    "skipped_outside": "{file} là liên kết dẫn ra ngoài bộ kit nên đã bị bỏ qua. Hãy đặt chính tệp đó vào.",
    "skipped_large": "{file} lớn hơn 256 KB nên đã bị bỏ qua. Hãy rút ngắn.",
    "skipped_unreadable": "Không đọc được {file} nên đã bỏ qua. Hãy sửa quyền của nó.",
    "skipped_not_utf8": "{file} không phải văn bản UTF-8 nên đã bị bỏ qua. Hãy lưu nó với bảng mã UTF-8.",
    "skipped_empty": "{file} không nói gì nên đã bị bỏ qua. Hãy viết tác nhân là ai, hoặc xóa tệp.",
    "skipped_bad_id": "{file} có tên không cho ra mã tác nhân nên đã bị bỏ qua. Hãy đặt tên bằng chữ và số, không phải default hay owner.",
}
