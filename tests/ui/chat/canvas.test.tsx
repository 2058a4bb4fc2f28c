// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { drawPanel, fakeApp } from './app';
import { tool, user } from './data';
import { ID, record } from '../canvas/sample';

const items = [user('q'), tool('artifact_create', { output: `[artifact ${ID} v1]\nPlan` })];

describe('the chip of a canvas', () => {
  // spec: UI-34, CNV-8
  it('has the title of now, nothing in it that turns text round, and a dot while it was not looked at', () => {
    const app = fakeApp({ view: { items }, canvases: { records: { [ID]: record(2, { title: '\u202ePlan\u200b' }) } } });
    drawPanel(app);
    const chip = screen.getByRole('button', { name: 'Open canvas Plan, version 1, new since you looked' });
    expect(chip.querySelector('bdi')?.textContent).toBe('Plan');
    expect(chip.querySelector('.crew-dot')).not.toBeNull();
    fireEvent.click(chip);
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { id: ID, version: 1 });
  });

  // spec: UI-34
  it('says that its canvas is gone', () => {
    drawPanel(fakeApp({ view: { items }, canvases: { records: { [ID]: null } } }));
    expect(screen.getByText('This canvas was deleted')).toBeTruthy();
  });

  // spec: CNV-107, CNV-109, UI-35
  it('is there while the canvas is written, unless the person does not want to see that', () => {
    const drafts = [{ call: 'c1', name: 'artifact_create', json: '{"title": "Plan", "content": "# On' }];
    const app = fakeApp({ view: { running: true, items: [user('q')] }, canvases: { drafts } });
    drawPanel(app);
    fireEvent.click(screen.getByRole('button', { name: 'Writing: Plan. Open beside' }));
    expect(app.execute).toHaveBeenCalledWith('crewlab:open-canvas', { call: 'c1' });
    const other = drawPanel(fakeApp({ view: { running: true, items: [user('q')] }, canvases: { drafts, previews: false } }));
    expect(other.container.querySelector('.crew-canvas-draft')).toBeNull();
  });
});
