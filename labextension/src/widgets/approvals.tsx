/** The front end of `crewlab.widgets.Approvals`: the cards and the history of the Crew manager (UI-155, UI-161). */
import './approvals/approvals.css';
import type { Shown } from './approvals/state';
import { View } from './approvals/View';
import { component } from './live/mount';

export default component<Shown>(model => <View model={model} />);
