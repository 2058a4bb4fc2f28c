/** The front end of `crewlab.widgets.AgentsTable` (UI-155). */
import './agents/agents.css';
import type { Shown } from './agents/state';
import { View } from './agents/View';
import { component } from './live/mount';

export default component<Shown>(model => <View model={model} />);
