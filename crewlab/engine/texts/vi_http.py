"""What the HTTP API says about requests it cannot answer, Vietnamese."""

TEXTS = {
    "bad_request": "Không đọc được yêu cầu.",
    "bad_json": "Nội dung gửi lên không phải là một đối tượng JSON.",
    "bad_message": "Không đọc được thông điệp: {problem}.",
    "forbidden": "Jupyter từ chối yêu cầu: hãy đăng nhập lại, hoặc gửi token của máy chủ trong tiêu đề Authorization.",
    "not_found": "Không có gì ở địa chỉ này.",
    "no_route": "crewlab không có đường {method} {path}.",
    "wrong_method": "{path} không nhận {method}; nó nhận {allowed}.",
    "too_large": "Nội dung lớn hơn {limit} byte. Hãy gửi ít hơn.",
    "invalid": "{field}: {problem}.",
    "too_many": "Quá nhiều yêu cầu. Hãy đợi một lát rồi thử lại.",
    "too_many_topics": "Một kết nối mang nhiều nhất {limit} chủ đề. Hãy bỏ theo dõi một chủ đề trước.",
    "message_too_large": "một thông điệp của cửa sổ dài nhất {limit} byte",
    "unknown_topic": "Không có chủ đề {topic!r}: hãy dùng activity hoặc conversation:<id>.",
    "internal": "crewlab gặp lỗi với yêu cầu này. Nhật ký của máy chủ ghi nguyên nhân dưới mã {reference}.",
    "unavailable": "crewlab hiện không dùng được.",
    "starting": "crewlab vẫn đang khởi động. Hãy thử lại sau vài giây.",
    "stopping": "crewlab đang tắt.",
    "failed_start": "crewlab không khởi động được. Nhật ký của máy chủ ghi nguyên nhân dưới mã {reference}; hãy sửa rồi khởi động lại máy chủ Jupyter.",
    "disabled": "crewlab đang tắt trên máy chủ này (CrewlabApp.enabled). Hãy đặt thành true và khởi động lại máy chủ Jupyter.",
}
