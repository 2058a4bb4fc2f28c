"""Hộp cát của lệnh: vì sao không có, vì sao lệnh không được chạy. Tiếng Việt."""

TEXTS: dict[str, str] = {
    "missing_bwrap": "Chưa cài bwrap: hãy cài gói bubblewrap rồi khởi động lại máy chủ.",
    "missing_namespaces": (
        "Nhân hệ điều hành từ chối tạo namespace mới: hãy cho phép user namespace không đặc quyền với người dùng này, "
        "hoặc chạy máy chủ ở nơi được phép. {said}"
    ),
    "missing_landlock": "Nhân không có luật mạng của Landlock (Linux 6.7 trở lên mới có); shell_network: false thì dùng được ở đây.",
    "missing_processor": "Hộp cát chỉ biết bộ xử lý x86_64 và aarch64.",
    "missing_sandbox_exec": "Thiếu /usr/bin/sandbox-exec hoặc nó không chạy. {said}",
    "missing_system": "Hệ điều hành này không có hộp cát cho lệnh: hãy dùng Linux với bubblewrap, hoặc macOS.",
    "refused": (
        "Lệnh của agent này chỉ chạy trong hộp cát, mà ở đây không dựng được: {reason} Chưa có gì chạy. "
        "Hãy báo cho người dùng; lệnh khác hay sự phê duyệt cũng không đổi được điều này."
    ),
    "leads_out": "Một mục của shell_write_paths ({entries}) dẫn ra ngoài không gian làm việc. Chưa có gì chạy. Hãy báo người dùng có những liên kết nào ở đó.",
    "guards": "Một mục của shell_write_paths ({entries}) sẽ mở các tệp của chính crew cho lệnh. Chưa có gì chạy. Hãy báo cho người dùng.",
    "unusable": "Một mục của shell_write_paths ({entries}) không dùng làm thư mục được, hoặc đã đổi trong lúc kiểm tra. Chưa có gì chạy.",
    "not_started": "Không dựng được hộp cát nên lệnh chưa được chạy: {said}",
}
