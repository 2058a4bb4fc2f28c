/** Texts of the frame in JupyterLab: commands, launcher, status bar, notifications (UI-6). */
import type { Language } from './index';

const en = {
  category: 'Crew',
  name: 'Crew',
  'command.focus': 'Show the crew chat',
  'command.new': 'New conversation with the crew',
  'command.open': 'Open a conversation',
  'command.main': 'Open chat in main area',
  'command.stop': 'Stop the crew',
  'command.approvals': 'Show what waits for you',
  'command.manager': 'Open the Crew manager',
  'command.run': 'Open a run of the crew',
  'command.scripts': 'See what scripts of an agent keep',
  'command.run_notebook': 'Open a run of the crew in a notebook',
  'manager.name': 'Crew manager',
  'manager.caption': 'What the crew does, and what waits for you',
  'command.send_cell': 'Send cell to the crew',
  'command.send_selection': 'Send selection to the crew',
  'command.send_error': 'Send error to the crew',
  'command.insert_code': 'Insert code of the answer as cell below',
  'command.insert_answer': 'Insert answer as Markdown cell',
  'command.replace_cell': 'Replace active cell with code of the answer',
  'command.search': 'Search conversations',
  'command.export': 'Export the conversation as Markdown',
  'command.escape': 'Close the innermost card',
  'command.open_canvas': 'Open a canvas',
  'command.save_canvas': 'Save the canvas',
  'command.insert_canvas': 'Insert canvas as cell',
  'command.canvas_previews': 'Show canvases while they are written',
  'canvas.title': 'Canvas',
  'canvas.none': 'There is no canvas yet. Ask the crew for a document, a page or a diagram.',
  'canvas.choose': 'Canvas to open',
  'canvas.open': 'Open',
  'canvas.unsaved_close': 'Unsaved text of "{title}" is kept on this device.',
  'canvas.not_downloaded': 'Not downloaded: {message}',
  'launcher.caption': 'Chat with the crew',
  'panel.waiting': 'Crew, {waiting} waiting',
  'status.idle': 'Crew',
  'status.working': 'Crew: {working} working',
  'status.waiting': 'Crew: {waiting} waiting',
  'status.both': 'Crew: {working} working, {waiting} waiting',
  'notify.asks': '{agent} asks: {what}',
  'notify.open': 'Open',
  'export.failed': 'The conversation was not exported: {message}',
  'export.run_failed': 'The run was not exported: {message}',
  cancel: 'Cancel'
};

export type FrameKey = keyof typeof en;

const vi: Record<FrameKey, string> = {
  category: 'Nhóm agent',
  name: 'Nhóm agent',
  'command.focus': 'Hiện khung trò chuyện với nhóm',
  'command.new': 'Cuộc trò chuyện mới với nhóm',
  'command.open': 'Mở một cuộc trò chuyện',
  'command.main': 'Mở khung trò chuyện ở vùng chính',
  'command.stop': 'Dừng nhóm',
  'command.approvals': 'Hiện những gì đang chờ bạn',
  'command.manager': 'Mở trang quản lý nhóm',
  'command.run': 'Mở một lượt chạy của nhóm',
  'command.scripts': 'Xem kịch bản của agent giữ gì',
  'command.run_notebook': 'Mở một lượt chạy của nhóm trong notebook',
  'manager.name': 'Quản lý nhóm agent',
  'manager.caption': 'Nhóm đang làm gì, và gì đang chờ bạn',
  'command.send_cell': 'Gửi ô cho nhóm',
  'command.send_selection': 'Gửi phần đang chọn cho nhóm',
  'command.send_error': 'Gửi lỗi cho nhóm',
  'command.insert_code': 'Chèn mã của câu trả lời thành ô bên dưới',
  'command.insert_answer': 'Chèn câu trả lời thành ô Markdown',
  'command.replace_cell': 'Thay ô đang chọn bằng mã của câu trả lời',
  'command.search': 'Tìm cuộc trò chuyện',
  'command.export': 'Xuất cuộc trò chuyện thành Markdown',
  'command.escape': 'Đóng thẻ trong cùng',
  'command.open_canvas': 'Mở một bản thảo',
  'command.save_canvas': 'Lưu bản thảo',
  'command.insert_canvas': 'Chèn bản thảo thành ô',
  'command.canvas_previews': 'Hiện bản thảo trong khi đang viết',
  'canvas.title': 'Bản thảo',
  'canvas.none': 'Chưa có bản thảo nào. Hãy nhờ nhóm viết một văn bản, một trang hay một sơ đồ.',
  'canvas.choose': 'Bản thảo cần mở',
  'canvas.open': 'Mở',
  'canvas.unsaved_close': 'Văn bản chưa lưu của "{title}" được giữ trên thiết bị này.',
  'canvas.not_downloaded': 'Chưa tải xuống được: {message}',
  'launcher.caption': 'Trò chuyện với nhóm',
  'panel.waiting': 'Nhóm agent, {waiting} việc đang chờ',
  'status.idle': 'Nhóm agent',
  'status.working': 'Nhóm: {working} đang làm',
  'status.waiting': 'Nhóm: {waiting} đang chờ',
  'status.both': 'Nhóm: {working} đang làm, {waiting} đang chờ',
  'notify.asks': '{agent} hỏi: {what}',
  'notify.open': 'Mở',
  'export.failed': 'Chưa xuất được cuộc trò chuyện: {message}',
  'export.run_failed': 'Chưa xuất được lượt chạy: {message}',
  cancel: 'Hủy'
};

const TEXTS: Record<Language, Record<FrameKey, string>> = { en, vi };

/** A text of the frame, with its places filled. */
export function frameText(language: Language, key: FrameKey, values: Readonly<Record<string, string | number>> = {}): string {
  return TEXTS[language][key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The language of the page: the home's, else JupyterLab's when it is Vietnamese, else English (UI-6). */
export function chooseLanguage(home: string | null, lab: string): Language {
  if (home === 'vi' || home === 'en') {
    return home;
  }
  return /^vi\b/i.test(lab.replace('_', '-')) ? 'vi' : 'en';
}
