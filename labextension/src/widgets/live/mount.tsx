/** How a component comes into its output: classes, theme, model, and everything ended with it. */
import { createRoot } from 'react-dom/client';
import { LiveModel, type WidgetModel } from './model';
import { followTheme } from './theme';
import type { Base } from './wire';

export interface Place {
  model: WidgetModel;
  el: HTMLElement;
}

type Render = (place: Place) => () => void;

/** The front end of one component, as anywidget wants it. */
export function component<S extends Base>(draw: (model: LiveModel<S>) => JSX.Element, name?: string): { render: Render } {
  const render: Render = ({ model, el }) => {
    const view = new LiveModel<S>(model, { set: (run, ms) => window.setTimeout(run, ms), clear: id => window.clearTimeout(id) });
    el.classList.add('crew', 'crew-widget');
    if (name) {
      el.classList.add(name);
    }
    const leaveTheme = followTheme(el);
    const root = createRoot(el);
    root.render(draw(view));
    view.start();
    return () => {
      view.end();
      leaveTheme();
      root.unmount();
    };
  };
  return { render };
}
