"""Vietnamese texts of the search in conversations."""

TEXTS = {
    "description": "Tìm những gì đã nói trong các cuộc trò chuyện khác của bạn. Mọi từ phải khớp, từ cuối có thể là phần đầu của từ; không phân biệt hoa thường và dấu. Agent chính có thể tìm cả của agent khác.",
    "query": "Các từ cần tìm.",
    "agent": "Mã của một agent khác, hoặc * cho cả nhóm; chỉ dành cho agent chính. Nếu không có thì tìm trong các cuộc trò chuyện của bạn.",
    "written_by": "user: chỉ điều người dùng viết; all (mặc định): cả câu trả lời.",
    "no_words": "Câu tìm không có từ nào. Hãy gọi conversation_search(query: string) với các từ cần tìm.",
    "no_match": "Không có cuộc trò chuyện nào khác chứa tất cả các từ này.",
    "found": "{count} kết quả, hợp nhất trước:",
    "not_yours": "Bạn chỉ tìm được trong các cuộc trò chuyện của mình. Hãy bỏ agent.",
    "by_user": "người dùng",
    "by_assistant": "agent",
}
