import { describe, expect, it } from 'vitest';
import { conversationIn } from '@crew/shared/notebook/kept';

describe('the conversation of a notebook', () => {
  // spec: UI-152
  it('is the last one that an output names', () => {
    expect(conversationIn([{ crewlab: { conversation: 'c_1' } }, {}, { crewlab: { conversation: 'c_2' } }, null, undefined])).toBe('c_2');
    expect(conversationIn([])).toBeNull();
  });

  it('is never what is no id', () => {
    expect(conversationIn([{ crewlab: { conversation: '../c_1' } }, { crewlab: { conversation: 5 } }, { crewlab: 'c_1' }])).toBeNull();
  });
});
