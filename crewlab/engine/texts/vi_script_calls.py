"""What a script is told about its calls, and what people read about them (SCR-97 to SCR-101, SCR-176, SCR-187). Vietnamese."""

TEXTS: dict[str, str] = {
    "args_wrong": "{problems} Chưa có gì chạy.\nCách dùng: {form}",
    "classify_failed": "mô hình không trả lời bằng đúng một nhãn trong labels",
    "cut": "Kịch bản đã kết thúc trước khi lời gọi này trả lời; có thể nó đã chạy.",
    "error": "Lỗi công cụ: {message}",
    "llm_failed_why": "Không hỏi được mô hình: {why}",
    "llm_form": (
        "llm.classify(text, labels) hoặc llm.summarise(text, max_chars=500): text dài 1 đến 20.000 ký tự, 2 đến 20 nhãn khác nhau, "
        "max_chars từ 1 đến 4.000"
    ),
    "llm_off": "ở đây không được hỏi mô hình",
    "llm_said": "Mô hình đã trả lời: {said}",
    "more": "[còn {more} ký tự, đọc tiếp bằng tools.tool_output_read(id={id}, offset={offset})]",
    "summarise_failed": "mô hình không đưa ra bản tóm tắt",
    "unknown": "Không có công cụ {name}. tools.names() liệt kê các công cụ kịch bản được gọi, tools.search tìm theo từ.",
    "unknown_near": (
        "Không có công cụ {name}; có phải ý bạn là {near}? tools.names() liệt kê các công cụ kịch bản được gọi, tools.search tìm theo từ."
    ),
}
