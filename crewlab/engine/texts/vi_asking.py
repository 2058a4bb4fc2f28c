"""Câu hỏi cho người dùng: công cụ ``ask_user``, các lời từ chối và câu trả lời của nó. Tiếng Việt."""

TEXTS: dict[str, str] = {
    "description": (
        "Hỏi người dùng một câu và chờ trả lời. Chỉ dùng ở ngã rẽ thật sự làm thay đổi việc tiếp theo, không dùng cho điều bạn tự tìm ra được "
        "và không dùng để xin phép. Đừng bao giờ viết câu hỏi thành tin nhắn: như vậy lượt sẽ kết thúc. "
        "Có thể không ai đang theo dõi, vì thế hãy luôn truyền `default`: nó được dùng khi không ai trả lời, và khi đó hãy nói trong câu trả lời "
        "rằng bạn tự quyết định. Kết quả bắt đầu bằng một dòng như answer=chosen hoặc answer=text."
    ),
    "question": "Điều cần hỏi: một câu, nhiều nhất 1.000 ký tự.",
    "options": "Nhiều nhất 20 lựa chọn: chuỗi thường, hoặc đối tượng có label, description và suggested.",
    "label": "Lời của lựa chọn, một dòng.",
    "option_description": "Chọn nó thì có nghĩa gì.",
    "suggested": "true cho lựa chọn bạn gợi ý; nhiều nhất một.",
    "default_parameter": "Điều bạn dùng khi không ai trả lời. Nếu không nhận lời tự viết thì phải là nhãn của một lựa chọn.",
    "context": "Vì sao bạn hỏi và câu trả lời thay đổi điều gì, nhiều nhất 2.000 ký tự.",
    "allow_free_text": "Có nhận câu trả lời tự viết hay không; bỏ trống là có.",
    "multi_select": "Có được chọn nhiều lựa chọn hay không; bỏ trống là không.",
    "reason": "Agent hỏi bạn một câu.",
    # từ chối: không ai được hỏi
    "empty": "Câu hỏi trống; không ai được hỏi. Hãy viết điều bạn muốn biết.",
    "nothing_to_take": "Không có lựa chọn và không nhận lời tự viết thì không thể trả lời; không ai được hỏi. Hãy đưa lựa chọn hoặc cho tự viết.",
    "several_of_none": "multi_select cần có lựa chọn; không ai được hỏi. Hãy đưa lựa chọn hoặc bỏ multi_select.",
    "empty_label": "Có lựa chọn mang nhãn trống; không ai được hỏi. Hãy cho mỗi lựa chọn lời riêng.",
    "label_twice": "Hai lựa chọn có cùng nhãn; không ai được hỏi. Hãy đưa mỗi lựa chọn một lần.",
    "suggested_twice": "Có hơn một lựa chọn được gợi ý; không ai được hỏi. Hãy gợi ý nhiều nhất một.",
    "default_no_option": "Khi không nhận lời tự viết, default phải là nhãn của một lựa chọn; không ai được hỏi.",
    "asked_before": (
        "Trong lượt này bạn đã hỏi câu đó và không có câu trả lời; không ai được hỏi lại. Hãy làm tiếp với một giả định mà bạn nói rõ, "
        "và đừng hỏi lại."
    ),
    "unavailable": "Ở đây không có ai để hỏi. Hãy làm tiếp với một giả định mà bạn nói rõ, hoặc dừng lại và nói còn thiếu gì.",
    # đọc bên dưới dòng đầu của câu trả lời
    "skipped": "Người dùng đã bỏ qua câu hỏi. Hãy làm tiếp với một giả định mà bạn nói rõ, và đừng hỏi lại.",
    "timeout": (
        "Không ai trả lời kịp hạn, và không có default. Hãy làm tiếp với một giả định mà bạn nói rõ, hoặc dừng lại và nói còn thiếu gì; "
        "đừng hỏi lại."
    ),
    "default": "Không ai trả lời kịp hạn, nên default được dùng. Hãy làm tiếp với nó và nói trong câu trả lời rằng bạn tự quyết định điều này.",
    # cho người dùng, qua API (ASKU-9)
    "answer_empty": "Câu trả lời trống. Hãy chọn một lựa chọn hoặc viết gì đó; hoặc bỏ qua câu hỏi.",
    "answer_no_text": "Câu hỏi này chỉ nhận một trong các lựa chọn, không nhận lời khác.",
    "answer_one": "Câu hỏi này chỉ nhận một lựa chọn.",
    "answer_unknown": "Câu hỏi này không có lựa chọn như vậy.",
    "answer_long": "Câu trả lời quá dài.",
}
