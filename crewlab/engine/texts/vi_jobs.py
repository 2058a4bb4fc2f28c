"""Schedules: for people, and what a model reads about them. Vietnamese."""

TEXTS: dict[str, str] = {
    # a schedule in words
    "daily": "Mỗi ngày",
    "at": "lúc {times}",
    "hourly": "mỗi giờ vào phút {minute}",
    "hours_at": "cứ {count} giờ vào phút {minute}",
    "every_minutes_one": "Mỗi phút",
    "every_minutes": "Cứ {count} phút",
    "every_hours_one": "Mỗi giờ",
    "every_hours": "Cứ {count} giờ",
    "every_days_one": "Cứ 24 giờ",
    "every_days": "Cứ {count} ngày",
    "workdays": "Thứ Hai đến thứ Sáu",
    "weekdays": "Mỗi {days}",
    "month_days": "Ngày {days} hằng tháng",
    "in_months": "{said}, vào {months}",
    "cron_line": "Theo dòng cron {line}",
    "day_0": "Chủ nhật",
    "day_1": "thứ Hai",
    "day_2": "thứ Ba",
    "day_3": "thứ Tư",
    "day_4": "thứ Năm",
    "day_5": "thứ Sáu",
    "day_6": "thứ Bảy",
    "month_1": "tháng Một",
    "month_2": "tháng Hai",
    "month_3": "tháng Ba",
    "month_4": "tháng Tư",
    "month_5": "tháng Năm",
    "month_6": "tháng Sáu",
    "month_7": "tháng Bảy",
    "month_8": "tháng Tám",
    "month_9": "tháng Chín",
    "month_10": "tháng Mười",
    "month_11": "tháng Mười Một",
    "month_12": "tháng Mười Hai",
    # through the API
    "gone": "Không có việc {id}. Hãy đọc lại danh sách việc.",
    "running": "Việc {id} đang chạy. Hãy đợi lượt chạy kết thúc.",
    "disabled": "Việc {id} đang tắt trong hồ sơ của agent. Hãy đặt enabled ở đó rồi lưu agent.",
    "profile_job": "Việc {id} là một dòng của agent.yaml. Hãy lưu agent không có dòng đó.",
    "orphan": "Agent {agent} của việc {id} đã bị gỡ. Hãy xóa việc này.",
    # runs of jobs
    "no_scripts": "Nhóm này chưa chạy được script nên việc không làm gì.",
    "no_commands": "Nhóm này không có shell nên lệnh không được chạy.",
    "failed_inside": "Việc hỏng bên trong ({kind}). Nhật ký của máy chủ có chi tiết.",
    # the tool
    "schedule_create.description": (
        "Đề nghị một việc tự chạy lặp lại: một lời nhắc cho bạn, theo dòng cron hoặc theo khoảng thời gian. Chỉ dùng khi người dùng muốn điều gì đó "
        "lặp lại; việc làm một lần không cần lịch. Luôn có người quyết định."
    ),
    "schedule_create.name": "Tên ngắn.",
    "schedule_create.prompt": "Lời bạn sẽ nhận ở mỗi lượt chạy, nguyên văn. Phải có đủ mọi điều cần thiết: không có ai ở đó để hỏi.",
    "schedule_create.cron": "Năm trường cron theo múi giờ của người dùng, như 0 7 * * mon-fri; các lượt cách nhau ít nhất 15 phút. Ghi cái này hoặc every.",
    "schedule_create.every": "Khoảng từ 15 phút đến 366 ngày: 30m, 2h, 1d. Ghi cái này hoặc cron.",
    "schedule_create.skills": "Tên các kỹ năng được đưa kèm ở mỗi lượt chạy.",
    "create_name": "Tên phải có từ 1 đến {limit} ký tự.",
    "create_prompt": "Lời nhắc phải có từ 1 đến {limit} ký tự; hiện có {chars}.",
    "create_cron": "Không đọc được dòng cron. Hãy viết năm trường, như 0 7 * * mon-fri.",
    "create_never": "Dòng cron không có lượt nào trong {days} ngày. Hãy chọn dòng khác.",
    "create_often": "Hai lượt sẽ cách nhau {minutes} phút ({first} và {second}); cần ít nhất {limit} phút. Hãy chọn lịch thưa hơn.",
    "create_every": "Khoảng thời gian phải từ 15 phút đến 366 ngày, viết 30m, 2h hoặc 1d.",
    "create_skill": "Không có kỹ năng {name}. Kỹ năng của agent này: {known}.",
    "create_full": "Agent này đã có {limit} lịch tạo từ trò chuyện. Hãy nhờ người dùng xóa bớt ở phần Lịch.",
    "card": (
        "Một lịch tự chạy: {words}\n\nLời nhắc, nguyên văn:\n{prompt}\n\nCác lượt tới{about}: {runs}\n{skills}"
        "Sau khi được duyệt, mỗi lượt chạy là một lượt mà agent tự dùng công cụ, không hỏi lại từng bước."
    ),
    "card_about": " (khoảng, tính từ lúc bạn duyệt)",
    "card_skills": "Kỹ năng: {names}\n",
    "created": "Đã lưu lịch {id}: {words}. Lượt tới: {next}. Người dùng có thể tạm dừng hoặc xóa ở phần Lịch.",
}
