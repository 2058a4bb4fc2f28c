import type { jobs as en } from './en_jobs';

/** Jobs given to other agents, in Vietnamese. */
export const jobs: Record<keyof typeof en, string> = {
  'job.done': 'Xong',
  'job.done_with_concerns': 'Xong, còn điều lưu ý',
  'job.blocked': 'Bị chặn',
  'job.needs_context': 'Cần câu trả lời',
  'job.failed': 'Không thành',
  'job.waits': 'Đang đợi bạn',
  'job.starting': 'Đang bắt đầu',
  'job.not_given': 'Chưa giao',
  'job.ended': 'Đã kết thúc',
  'job.open': 'Mở cuộc trò chuyện',
  'job.name': 'Việc của {agent}',
  'job.figures': '{steps}, {cost}',
  'job.unknown': '{n} lệnh chưa rõ giá',
  'job.more_canvases': 'và {n} canvas nữa',
  'job.canvas_version': 'bản {version}',
  'job.why.error': 'Mô hình không trả lời được, hoặc có gì đó hỏng.',
  'job.why.budget': 'Đã chạm mức chi tối đa.',
  'job.why.max_steps': 'Đã dùng hết số vòng.',
  'job.why.loop': 'Cùng một lệnh cứ lặp lại.',
  'job.why.nested_calls': 'Đã dùng hết số lệnh của đoạn mã.',
  'job.why.timeout': 'Việc quá lâu và không ai đợi nữa.',
  'job.why.interrupted': 'Việc bị dừng trước khi xong.',
  'job.why.unspecified': 'Không nêu lý do.',
  'job.why.denied': 'Bạn không cho phép: {tool}.',
  'job.why.expired': 'Không ai quyết định kịp: {tool}.',
  'job.asks': '{agent} hỏi trong một việc được giao từ đây.',
  'job.from': 'Chuyển nguyên văn từ {agent}',
  'activity.jobs': 'Lượt được giao',
  'activity.jobs_cost': '{n}, {cost}'
};
