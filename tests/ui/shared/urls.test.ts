import { describe, expect, it } from 'vitest';
import { apiUrl, path, socketUrl, streamUrl, withQuery } from '@crew/shared/urls';
import { EventCutter } from '@crew/shared/sse';

describe('addresses', () => {
  // spec: FX-1
  it.each([
    ['http://h/user/a%40b/', 'http://h/user/a%40b/crewlab/api/version'],
    ['http://h/user/a%40b', 'http://h/user/a%40b/crewlab/api/version'],
    ['/', '/crewlab/api/version']
  ])('keep the base %s as the server wrote it', (base, url) => {
    expect(apiUrl(base, 'version')).toBe(url);
  });

  // spec: FX-1
  it('of the socket and the stream stand behind the same prefix', () => {
    expect(socketUrl('wss://h/user/a%40b/', 'a b')).toBe('wss://h/user/a%40b/crewlab/api/ws?token=a%20b');
    expect(socketUrl('wss://h/user/a%40b/', null)).toBe('wss://h/user/a%40b/crewlab/api/ws');
    expect(streamUrl('/user/a%40b/', [{ name: 'activity', after: 'e-1' }])).toBe('/user/a%40b/crewlab/api/stream?topic=activity%40e-1');
  });

  it('never let an id change the path', () => {
    expect(path('conversations', '../x?y#z', 'stop')).toBe('conversations/..%2Fx%3Fy%23z/stop');
    expect(withQuery('approvals', { status: 'pending', before: null, limit: 5 })).toBe('approvals?status=pending&limit=5');
    expect(withQuery('approvals', {})).toBe('approvals');
  });
});

describe('server-sent events', () => {
  it('are cut out of pieces of any size', () => {
    const text = ': ping\n\nid: e-1\nevent: frame\ndata: {"a":1}\n\nevent:frame\r\ndata: one\r\ndata: two\r\n\r\nevent: half';
    for (const size of [1, 2, 3, 7, text.length]) {
      const cutter = new EventCutter();
      const found = [];
      for (let at = 0; at < text.length; at += size) {
        found.push(...cutter.push(text.slice(at, at + size)));
      }
      expect(found).toEqual([
        { name: '', data: '' },
        { name: 'frame', data: '{"a":1}' },
        { name: 'frame', data: 'one\ntwo' }
      ]);
    }
  });
});
