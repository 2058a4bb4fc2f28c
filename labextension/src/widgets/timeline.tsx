/** The front end of `crewlab.widgets.RunTimeline`: one file for anywidget, the same beads and words as the panel (UI-155, UI-156). */
import { createRoot } from 'react-dom/client';
import './timeline/timeline.css';
import { Card } from './timeline/Card';
import { TimelineModel, type WidgetModel } from './timeline/model';
import { followTheme } from './timeline/theme';

function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const view = new TimelineModel(model, { set: (run, ms) => window.setTimeout(run, ms), clear: id => window.clearTimeout(id) });
  el.classList.add('crew', 'crew-widget');
  const leaveTheme = followTheme(el);
  const root = createRoot(el);
  root.render(<Card model={view} />);
  view.start();
  return () => {
    view.end();
    leaveTheme();
    root.unmount();
  };
}

export default { render };
