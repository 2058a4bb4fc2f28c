/** The front end of `crewlab.widgets.RunTimeline`: one file for anywidget, the same beads and words as the panel (UI-155, UI-156). */
import './timeline/timeline.css';
import { component } from './live/mount';
import { Card } from './timeline/Card';
import { Timeline } from './timeline/model';
import type { Shown } from './timeline/state';

export default component<Shown>(model => <Card model={new Timeline(model)} />);
