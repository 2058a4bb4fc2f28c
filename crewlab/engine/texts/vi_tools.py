"""Công cụ: những gì mô hình đọc về chúng và mọi câu chúng trả lời (TOOL-8). Tiếng Việt."""

TEXTS: dict[str, str] = {
    # giao ước
    "not_available": 'Công cụ "{name}" không có trong lượt này.',
    "failed": "Công cụ {name} hỏng từ bên trong ({kind}). Không rõ có gì thay đổi hay không; hãy thử cách khác hoặc báo cho người dùng.",
    "empty": "Công cụ {name} kết thúc mà không trả lời gì.",
    # đối số
    "args_wrong": "{problems} Chưa có gì được chạy. Dạng đúng: {form}",
    "args_not_object": "Các đối số không phải là một đối tượng JSON.",
    "args_unknown": "Không có tham số {name}.",
    "args_missing": "Thiếu tham số {name}.",
    "args_type": "{name} phải là {expected}, không phải {got}.",
    "args_enum": "{name} phải là một trong {choices}.",
    "args_low": "{name} phải ít nhất là {limit}.",
    "args_high": "{name} nhiều nhất là {limit}.",
    "args_short": "{name} phải có ít nhất {limit} ký tự.",
    "args_long": "{name} có nhiều nhất {limit} ký tự.",
    "args_few": "{name} phải có ít nhất {limit} phần tử.",
    "args_many": "{name} có nhiều nhất {limit} phần tử.",
    "args_choice": "Hãy đưa đúng một trong các nhóm sau: {groups}.",
    "args_or": " hoặc ",
    # kết quả được rút ngắn
    "cut_mark": "[… còn {count} ký tự bị bỏ bớt]",
    "items_mark": "[… còn {count} phần tử bị bỏ bớt]",
    "string_mark": "[… bỏ bớt {count} ký tự …]",
    # con số
    "thousands": ".",
    "decimal": ",",
    "byte_one": "1 byte",
    "bytes": "{count} byte",
    # đường dẫn
    "path_empty": "Đường dẫn trống: hãy nêu một tệp trong không gian làm việc.",
    "path_control": "Đường dẫn {path} có ký tự điều khiển hoặc nửa ký tự; những tên như vậy bị từ chối. Hãy viết lại đường dẫn không có ký tự đó.",
    "path_long": "Đường dẫn {path} quá dài (nhiều nhất {limit} ký tự).",
    "path_outside": "{path} dẫn ra ngoài không gian làm việc. Hãy dùng đường dẫn bên trong, tính từ gốc của nó, ví dụ notes/today.md.",
    "path_reserved": "{path} là nơi dành riêng của crewlab và đóng với các công cụ tệp. Hãy dùng đường dẫn khác.",
    "path_changed": "{path} đã thành liên kết hoặc bị thay trong lúc đang dùng; chưa làm gì cả. Hãy xem bằng workspace_list rồi thử lại.",
    "path_not_there": "Không có {path}. workspace_list cho biết có những gì.",
    "path_not_directory": "{path} không phải là thư mục. Hãy đọc tệp bằng workspace_read.",
    "path_in_file": "Không thể có {path}: một phần trước phần cuối của nó là tệp chứ không phải thư mục.",
    "path_is_directory": "{path} là thư mục chứ không phải tệp.",
    "path_special": "{path} không phải tệp thường (là ống dẫn, socket hoặc thiết bị) nên bị từ chối.",
    "path_denied": "{path}: hệ thống không cho phép ({why}).",
    "write_nowhere": "Không được ghi {path}: agent này không được ghi ở bất cứ đâu trong không gian làm việc.",
    "write_elsewhere": "Không được ghi {path}: agent này chỉ được ghi dưới {places}.",
    # workspace_list
    "workspace_list.description": (
        "Liệt kê một thư mục trong không gian làm việc của bạn, mỗi dòng một mục: thư mục kết thúc bằng /, tệp có kích thước, liên kết được đánh dấu. "
        "Dùng để xem có những tệp nào. Đừng gọi lại cho thư mục vừa liệt kê, và đừng dùng để đọc tệp: workspace_read làm việc đó."
    ),
    "workspace_list.path": "Thư mục, tính từ không gian làm việc; không nêu thì là gốc của không gian làm việc.",
    "list_head": "{path} — {count} mục; ",
    "list_head_one": "{path} — 1 mục; ",
    "list_empty": "{path} trống.",
    "list_file": "{name} ({size})",
    "list_link": "{name} (liên kết)",
    "list_link_directory": "{name}/ (liên kết)",
    "list_special": "{name} (không phải tệp thường)",
    # workspace_read
    "workspace_read.description": (
        "Đọc một tệp văn bản trong không gian làm việc của bạn. Không có offset và limit thì nhận cả tệp; tệp dài bị rút ngắn và chỗ rút được đánh dấu, "
        "vì vậy với tệp dài hãy đọc từng cửa sổ dòng. Không dùng cho thư mục (workspace_list), ảnh hay PDF, và không cho thứ gì ngoài không gian làm việc."
    ),
    "workspace_read.path": "Tệp, tính từ không gian làm việc.",
    "workspace_read.offset": "Dòng đầu tiên cần đọc, đếm từ 1.",
    "workspace_read.limit": "Số dòng cần đọc.",
    "read_empty": "{path} trống.",
    "read_window": "{path}, dòng {first} đến {last} trên {total}",
    "read_beyond": "{path} có {total} dòng; offset {offset} vượt quá cuối tệp.",
    "read_below_one": "{name} đếm từ 1; {value} là quá nhỏ.",
    "read_not_text": "{path} không phải tệp văn bản (UTF-8) nên không đọc như văn bản được.",
    "read_use_image": " Có vẻ là ảnh: hãy dùng image_read.",
    "read_use_pdf": " Có vẻ là PDF: hãy dùng pdf_read.",
    "read_too_large": "{path} có {size}; trên {limit} thì chỉ đọc được qua cửa sổ: hãy nêu offset và limit.",
    "read_window_too_large": "Những dòng này của {path} tổng cộng hơn {limit}; hãy xin ít dòng hơn.",
    "read_stopped": "Việc đọc {path} đã bị dừng.",
    # workspace_write
    "workspace_write.description": (
        "Ghi trọn một tệp văn bản trong không gian làm việc của bạn: tệp mới, hoặc thay tệp đang có; thư mục thiếu sẽ được tạo. Có thể cần người duyệt. "
        "Hãy nêu path và content, hoặc files cho tối đa ba tệp một lần. Không dùng để sửa vài dòng của tệp dài, và không dùng để hỏi tệp chứa gì: "
        "hãy đọc trước, vì những gì không có trong content sẽ mất."
    ),
    "workspace_write.path": "Tệp, tính từ không gian làm việc.",
    "workspace_write.content": "Toàn bộ văn bản của tệp.",
    "workspace_write.files": "Tối đa ba tệp ghi cùng một lần duyệt, thay cho path và content.",
    "write_half_character": "Nội dung của {path} có nửa cặp surrogate nên không ghi thành UTF-8 được. Hãy gửi lại văn bản không có nó.",
    "write_twice": "{path} được nêu hai lần. Hãy nêu mỗi tệp một lần.",
    "write_inside_other": "{path} nằm trong {other}, mà {other} sẽ là tệp. Hãy nêu đường dẫn khác.",
    "write_too_long_to_replace": (
        "{path} đã có ({size}); tệp hơn {limit} ký tự không được thay trọn. Hãy sửa những đoạn cần sửa bằng workspace_edit."
    ),
    "write_new": "Đã ghi {path}: {size}, tệp mới.",
    "write_replaced": "Đã ghi {path}: {size}, thay tệp đang có.",
    "write_failed": "Chưa ghi {path}: {why}. Những gì có trước đó vẫn nguyên.",
    "write_partly": "{failure} Đã ghi: {written}. Chưa ghi: {missing}.",
    "write_none": "không có",
    "write_read_only": "tệp được bảo vệ chống ghi",
    "write_no_room": "đĩa đã đầy",
    "write_system": "hệ thống từ chối ({why})",
    "write_summary_new": "Ghi {size} vào {path} (tệp mới)",
    "write_summary_replace": "Thay {path} (đang là {old}) bằng {size}",
    "write_summary_many": "Ghi {count} tệp: {parts}",
    "write_part_new": "{path} ({size}, mới)",
    "write_part_replace": "{path} ({size}, đang là {old})",
}
