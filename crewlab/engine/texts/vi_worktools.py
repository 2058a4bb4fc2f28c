"""Changing, searching and deleting files of the workspace. Vietnamese."""

TEXTS: dict[str, str] = {
    "search_path": "Thư mục cần tìm, tính từ không gian làm việc; bỏ trống là toàn bộ không gian làm việc.",
    # workspace_edit
    "workspace_edit.description": (
        "Thay một đoạn chính xác trong một tệp văn bản của không gian làm việc; có thể cần người dùng chấp thuận. Chép old nguyên văn từ "
        "workspace_read, lấy đủ dòng xung quanh để đoạn đó là duy nhất. Không dùng để tạo tệp mới hay viết lại cả tệp: hãy dùng workspace_write."
    ),
    "workspace_edit.old": "Đoạn đúng như trong tệp, kể cả khoảng trắng.",
    "workspace_edit.new": "Nội dung thay vào; để trống là xóa đoạn đó.",
    "workspace_edit.replace_all": "Thay mọi đoạn như vậy; nếu không, đoạn phải là duy nhất.",
    "edit_empty": "old trống. Hãy chép đoạn cần thay từ tệp.",
    "edit_same": "old và new giống nhau; không có gì thay đổi.",
    "edit_absent": "Đoạn này xuất hiện 0 lần trong {path}; không có gì thay đổi. Hãy đọc lại tệp và chép nguyên văn, kể cả khoảng trắng.",
    "edit_repeated": (
        "Đoạn này xuất hiện {count} lần trong {path} (dòng {lines}); không có gì thay đổi. Hãy lấy thêm dòng xung quanh chỗ cần, hoặc dùng replace_all."
    ),
    "edit_large": "{path} có {size}; chỉ sửa được nhiều nhất {limit}. Hãy dùng một lệnh.",
    "edit_done": "Đã sửa {path}: thay {count} đoạn; ",
    "edit_more": "[… bỏ bớt {count} dòng so sánh]",
    "edit_no_diff": "[thay đổi quá lớn để hiển thị]",
    # workspace_grep
    "workspace_grep.description": (
        "Tìm các dòng của tệp văn bản trong không gian làm việc khớp một biểu thức chính quy (pattern), hoặc chứa một trong tối đa năm chuỗi; trả về "
        "đường dẫn, số dòng và nội dung, nhiều nhất {limit}. Dùng để biết một thứ nằm ở đâu rồi đọc ở đó. Không dùng để tìm tệp theo tên: hãy dùng workspace_glob."
    ),
    "workspace_grep.pattern": "Biểu thức chính quy, so với từng dòng.",
    "workspace_grep.strings": "Một đến năm chuỗi, hiểu nguyên văn và không phân biệt hoa thường, thay cho pattern; kết quả xếp theo chuỗi.",
    "workspace_grep.glob": "Chỉ các tệp như: *.py (mọi cấp) hoặc data/**/*.csv.",
    "workspace_grep.ignore_case": "So pattern không phân biệt hoa thường.",
    "workspace_grep.context": "Số dòng hiển thị trước và sau mỗi kết quả, 0 đến 3.",
    "grep_head": "{count} kết quả trong {path}; ",
    "grep_none": "Không có kết quả trong {path} cho {pattern}.",
    "grep_string": "{string}: {count} kết quả",
    "grep_more": "[hơn {limit} kết quả; đây là các kết quả đầu. Hãy tìm hẹp hơn.]",
    "grep_late": "[dừng sau {seconds} giây; đây là kết quả đến lúc đó. Hãy tìm hẹp hơn.]",
    "grep_pattern": "{pattern} không phải biểu thức chính quy: {why}. Muốn tìm nguyên văn hãy dùng strings.",
    "grep_pattern_at": "{pattern} không phải biểu thức chính quy: {why} tại vị trí {position}. Muốn tìm nguyên văn hãy dùng strings.",
    # workspace_glob
    "workspace_glob.description": (
        "Liệt kê các tệp của không gian làm việc có đường dẫn khớp một mẫu, nhiều nhất {limit}, đã sắp xếp. * và ? nằm trong một tên, ** thay cho "
        "các thư mục bất kỳ: **/*.py tìm tệp Python ở mọi nơi. Không dùng để xem nội dung tệp: hãy dùng workspace_grep."
    ),
    "workspace_glob.pattern": "Mẫu của đường dẫn, tính từ thư mục được tìm: *.md, **/*.csv, src/**/test_*.py.",
    "glob_head": "{count} tệp như {pattern} trong {path}; ",
    "glob_none": "Trong {path} không có tệp nào như {pattern}.",
    "glob_more": "[hơn {limit} tệp; đây là các tệp đầu. Hãy tìm hẹp hơn.]",
    "glob_outside": "Mẫu {pattern} là tuyệt đối, trống hoặc có .. trong đó. Hãy viết mẫu tính từ thư mục được tìm, như **/*.py.",
    "glob_long": "Mẫu {pattern} quá dài hoặc có quá nhiều lựa chọn.",
    # workspace_delete
    "workspace_delete.description": (
        "Xóa một tệp của không gian làm việc; có thể cần người dùng chấp thuận. Đã xóa là mất. Không dùng cho thư mục, và không dùng để làm trống "
        "tệp: hãy dùng workspace_write."
    ),
    "workspace_delete.path": "Tệp, tính từ không gian làm việc.",
    "delete_git": "{path} nằm dưới .git và không bị xóa. Hãy dùng git.",
    "delete_link": "{path} là một liên kết và không bị xóa. Hãy nêu chính tệp đó.",
    "delete_summary": "Xóa {path} ({size}, sửa lần cuối {changed})",
    "delete_done": "Đã xóa {path} ({size}).",
}
