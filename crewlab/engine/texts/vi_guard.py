"""What the guard says when it refuses a request, Vietnamese."""

TEXTS = {
    "host": "Máy chủ này không trả lời dưới tên {host!r}. Hãy mở bằng địa chỉ IP hoặc localhost, hoặc thêm tên đó vào CREWLAB_ALLOWED_HOSTS.",
    "origin": "Trang của {origin!r} không được nói chuyện với crewlab tại {host!r}. Hãy mở JupyterLab đúng địa chỉ mà yêu cầu gửi tới.",
    "origin_null": "Trang không có nguồn gốc riêng (trang bị cô lập hoặc trang cục bộ) không được nói chuyện với crewlab tại {host!r}.",
    "url_token": "Yêu cầu tới {host!r} có thay đổi dữ liệu phải mang token trong tiêu đề Authorization, không phải trong địa chỉ.",
    "cookie_alone": "Yêu cầu tới {host!r} có thay đổi dữ liệu cần tiêu đề X-XSRFToken hoặc Authorization; chỉ có cookie là chưa đủ.",
}
