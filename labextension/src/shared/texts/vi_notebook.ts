import type { notebook as en } from './en_notebook';

/** Components in notebooks. */
export const notebook: Record<keyof typeof en, string> = {
  'timeline.name': 'Các bước của lượt chạy',
  'timeline.empty': 'Các bước hiện ở đây khi một lượt bắt đầu.',
  'timeline.loading': 'Vẫn đang tải',
  'timeline.time': 'Thời gian',
  'timeline.usd': 'USD',
  'timeline.stop': 'Dừng',
  'timeline.stopping': 'Đang dừng',
  'timeline.state_of': 'Trạng thái lúc {time}',
  'timeline.not_stopped': 'Chưa dừng được: {message}',
  'timeline.dropped': '{n} bước cũ hơn không được giữ ở đây',
  'timeline.unknown': '{cost} + {n} không rõ'
};
