// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ApiError } from '@crew/shared/api';
import type { Conversation } from '@crew/shared/contract';
import { drawPanel, fakeApp, settle } from './app';
import { answer, approval, summary, user } from './data';

const NAME = 'Edit and send again from here';
const made = { ...summary('fork'), messages: [], compactions: [], queued: [], tasks: [] } as Conversation;
const buttons = (): HTMLElement[] => screen.queryAllByRole('button', { name: NAME });
const draw = (): ReturnType<typeof fakeApp> => {
  const app = fakeApp({ view: { items: [user('one'), answer('two'), user('three')] } });
  drawPanel(app);
  return app;
};

describe('branching from a message', () => {
  // spec: UI-56
  it('is offered under every message of the person', () => {
    draw();
    expect(buttons()).toHaveLength(2);
  });

  // spec: UI-56
  it('is not offered while the agent works or waits, under words on their way, and in the conversation of a delegate', () => {
    const app = draw();
    const head = app.conversation.getSnapshot().view.conversation;
    app.show({ running: true });
    expect(buttons()).toHaveLength(0);
    app.show({ running: false, pending: approval() });
    expect(buttons()).toHaveLength(0);
    app.show({ pending: null }, { sending: true });
    expect(buttons()).toHaveLength(0);
    app.show({ items: [user('one'), { ...user('two'), sending: true }] }, { sending: false });
    expect(buttons()).toHaveLength(1);
    for (const child of [{ parent_id: 'c0' }, { parent_call_id: 'call' }, { source: 'delegate:c0' }, { source: 'vibe:c0' }]) {
      app.show({ conversation: head && { ...head, ...child } });
      expect(buttons()).toHaveLength(0);
    }
  });

  // spec: UI-58
  it('opens the branch with the old words as its draft and the focus in the composer', async () => {
    const app = draw();
    app.conversation.fork.mockResolvedValue(made);
    app.conversation.open.mockImplementation((id: string | null) => app.show({ items: [] }, { id }));
    fireEvent.click(buttons()[1] as HTMLElement);
    await settle();
    expect(app.conversation.fork).toHaveBeenCalledWith(user('three').key);
    expect(app.device.draft('fork')).toBe('three');
    expect(app.list.load).toHaveBeenCalled();
    expect(app.conversation.open).toHaveBeenCalledWith('fork');
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /./ });
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('three');
  });

  // spec: UI-57, UI-8
  it('says under the message why it did not go, and keeps what is open', async () => {
    const app = draw();
    app.conversation.fork.mockRejectedValueOnce(new ApiError('bad_cut', 422, ''));
    fireEvent.click(buttons()[0] as HTMLElement);
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('The message was not found in what is stored.');
    app.conversation.fork.mockRejectedValueOnce(new ApiError('child_conversation', 409, 'It is a child.'));
    fireEvent.click(buttons()[0] as HTMLElement);
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('Not branched: It is a child.');
    expect(app.conversation.open).not.toHaveBeenCalled();
  });

  it('does not take the person away from a conversation chosen meanwhile', async () => {
    const app = draw();
    app.conversation.fork.mockImplementationOnce(async () => {
      app.show({}, { id: 'elsewhere' });
      return made;
    });
    fireEvent.click(buttons()[0] as HTMLElement);
    await settle();
    expect(app.conversation.open).not.toHaveBeenCalled();
    expect(app.device.draft('fork')).toBe('one');
  });
});
