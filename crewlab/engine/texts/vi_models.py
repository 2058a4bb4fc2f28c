"""Tiếng Việt: lời của các nhà cung cấp mô hình, và lời dặn mô hình nhỏ tại máy."""

TEXTS: dict[str, str] = {
    # errors of a server; "detail" is what the server wrote
    "said": "Nguyên văn: {detail}",
    "bad_request": "{provider} không nhận được yêu cầu cho {model}. Hãy viết lại cách khác, mở cuộc trò chuyện mới, hoặc chọn mô hình khác. {detail}",
    "bad_key": "{provider} không chấp nhận khóa trong {variable}. Hãy đặt khóa hợp lệ (ở Kết nối, hoặc trong secrets.env thuộc thư mục của nhóm) rồi gửi lại. {detail}",
    "no_credit": "{provider} báo tài khoản đã hết tiền. Hãy nạp thêm, hoặc chọn tuyến khác. {detail}",
    "forbidden": "{provider} không cho tài khoản này dùng {model}. Hãy chọn mô hình khác hoặc xin quyền truy cập. {detail}",
    "no_model": "{provider} không biết {model} tại {url}. Hãy kiểm tra tên tuyến hoặc địa chỉ gốc. {detail}",
    "too_long": "{provider} báo cuộc trò chuyện quá dài cho {model}. Hãy mở cuộc mới, hoặc chọn mô hình rộng hơn. {detail}",
    "rate_limited": "{provider} tạm thời không nhận thêm yêu cầu. Hãy đợi một phút rồi gửi lại, hoặc thêm tuyến thứ hai. {detail}",
    "server_error": "{provider} gặp lỗi phía máy chủ ({status}). Hãy gửi lại sau giây lát, hoặc thêm tuyến thứ hai. {detail}",
    "refused": "{provider} từ chối yêu cầu ({status}). Hãy kiểm tra tuyến và tài khoản, hoặc chọn tuyến khác. {detail}",
    "moved": "{provider} không còn ở {url} ({status}). Hãy sửa địa chỉ gốc; thường là do thiếu https://. {detail}",
    "timed_out": "{provider} không trả lời kịp. Hãy gửi lại, hoặc chọn tuyến khác.",
    "no_connection": "Không kết nối được {provider} tại {url}. Hãy kiểm tra mạng và địa chỉ. {detail}",
    "not_running": "Không có gì trả lời tại {url}. Hãy chạy Ollama (`ollama serve`), hoặc sửa OLLAMA_BASE_URL.",
    "bad_url": "{provider} chưa có địa chỉ dùng được: {url!r} không phải URL của máy chủ. Hãy sửa địa chỉ gốc.",
    "stream_ended": "{provider} ngắt trước khi câu trả lời trọn vẹn.",
    "not_sse": "{provider} tại {url} không trả lời theo dạng của máy chủ mô hình. Hãy kiểm tra địa chỉ gốc; nếu đúng rồi thì gửi lại.",
    "answer_too_big": "{provider} gửi nhiều hơn mức một câu trả lời được chứa; phần còn lại đã bỏ. Hãy hỏi ít hơn mỗi lần.",
    "too_many_calls": "{provider} gửi nhiều lời gọi công cụ hơn mức một tin được chứa. Hãy yêu cầu ít bước hơn mỗi lần.",
    "unreadable_call": (
        "[Máy chủ không đọc được lời gọi công cụ vừa rồi của bạn: {error} "
        "Hãy viết lại: một công cụ, đúng tên, và tham số là một đối tượng JSON hợp lệ.]"
    ),
    # routes
    "no_route": "Không có mô hình nào để hỏi. Hãy thêm khóa ở Kết nối hoặc trong secrets.env thuộc thư mục của nhóm, chạy Ollama, hoặc chạy `crewlab local install`; rồi gửi lại.",
    "no_key": "Bỏ qua {route}: chưa đặt {variable}.",
    "unknown_provider": "Bỏ qua {route}: không có nhà cung cấp này. Các nhà cung cấp đã biết: {known}.",
    "ollama_away": "Ollama không trả lời tại {url}, hoặc chưa có mô hình nào. Hãy khởi động nó (`ollama serve`), tải một mô hình (`ollama pull qwen3:8b`), hoặc sửa OLLAMA_BASE_URL.",
    "no_sounds": "{route} không nghe được: hãy nêu tuyến khác trong audio_routes.",
    "local_no_pictures": "{route} không xem được ảnh: hãy nêu tuyến khác trong vision_routes.",
    "local_missing": "{route} chưa được cài. Hãy chạy `crewlab local install`, hoặc `crewlab local add FILE.gguf` cho mô hình của bạn.",
    "mend_none": "Hãy đặt OPENROUTER_API_KEY, ANTHROPIC_API_KEY hoặc OPENAI_API_KEY, chạy Ollama, hoặc chạy `crewlab local install`.",
    "mend_small": (
        "Một mô hình trình diễn nhỏ đang trả lời. Nó chỉ hiểu tiếng Anh và hay sai. "
        "Để làm việc thật, hãy đặt OPENROUTER_API_KEY, ANTHROPIC_API_KEY hoặc OPENAI_API_KEY, hoặc chạy Ollama."
    ),
    # the fake models
    "fake_unknown": "Không có mô hình giả {model!r}.",
    "script_bad": "Không chạy được kịch bản {file}: {why}. Hãy sửa tệp; docs/reference/scripted-model.md mô tả dạng của nó.",
    "script_no_turn": "Kịch bản không có lượt nào cho tin {message!r}. Hãy thêm một lượt, hoặc một lượt không có `match`.",
    "fixture_broken_text": "Câu trả lời này sẽ bị cắt ",
    "fixture_told": "Tôi được báo: {result}",
    "fixture_content": "Được ghi sau khi có người đồng ý.\n",
    "fixture_alive": "Vẫn đang chạy.",
    # the local model
    "local_starting": "Đang khởi động mô hình tại máy…",
    "local_no_start": "Mô hình tại máy không khởi động được. Hãy chạy `crewlab doctor`. {detail}",
    "local_died": "Mô hình tại máy dừng giữa câu trả lời. Không mất gì: hãy gửi lại và nó sẽ được khởi động lại.",
    "local_closed": "Máy chủ đang tắt; mô hình tại máy không được khởi động nữa.",
    "local_not_gguf": "{path} không phải tệp GGUF. Hãy chọn tệp bắt đầu bằng các chữ GGUF.",
    "local_no_file": "Không đọc được {path}: {detail}",
    "local_name": "{name!r} không thể là tên mô hình. Hãy dùng chữ cái, chữ số, dấu chấm, gạch nối và gạch dưới.",
    "local_taken": "Đã có mô hình {name!r}. Hãy đổi tên tệp, hoặc bỏ mô hình kia.",
    "local_install_failed": "Không cài được mô hình tại máy: {detail}",
    "local_no_gguf": "Đã cài gói, nhưng trong gói không có tệp GGUF.",
    "local_system": "Bạn là trợ lý trình diễn của crewlab, một mô hình ngôn ngữ nhỏ trong JupyterLab. Bạn thân thiện. Bạn trả lời ngắn và đúng.",
    "local_tools": (
        'Trả lời bằng một đối tượng JSON. Để trả lời người dùng: {{"answer": "..."}}. '
        'Để dùng công cụ: {{"tool": TÊN, "args": {{...}}}}.\nCông cụ:\n{tools}'
    ),
    "local_tool_line": "- {name}({parameters}): {description}",
    "local_result": "Kết quả của {name}:\n{result}\nHãy nói lại cho người dùng trong một hai câu.",
    "local_shown": "`{name}` trả về:\n\n{fence}\n{result}\n{fence}",
    # examples for a tiny model: a question, a line below it the answer
    "local_shots": "Xin chào!\nXin chào! Tôi giúp gì được cho bạn?\nCảm ơn!\nKhông có gì!\n2 + 2 là mấy?\n2 + 2 là 4.",
    "local_tool_shots": (
        "Liệt kê các tệp.\n"
        '{{"tool": "workspace_list", "args": {{}}}}\n'
        "Đọc report.md\n"
        '{{"tool": "workspace_read", "args": {{"path": "report.md"}}}}\n'
        "Lưu 'chào buổi sáng' vào greeting.txt\n"
        '{{"tool": "workspace_write", "args": {{"path": "greeting.txt", "content": "chào buổi sáng"}}}}\n'
        "Tệp là gì?\n"
        '{{"answer": "Tệp là một phần dữ liệu có tên trên đĩa."}}'
    ),
    # words that make a small model see tools: things, questions that want an answer, verbs per tool
    "local_cues_things": "tệp|tập tin|thư mục|không gian làm việc|lưu",
    "local_cues_answers": "như thế nào|thế nào là|tại sao|vì sao|giải thích|là gì|khác nhau|hàm|bài thơ|câu chuyện|truyện",
    "local_cues_workspace_list": "liệt kê|danh sách|xem|những tệp nào|có tệp nào|có gì trong thư mục",
    "local_cues_workspace_read": "đọc|mở|xem|nội dung|in ra|có gì trong",
    "local_cues_workspace_write": "viết|ghi|lưu|tạo",
}
