/** The front end of `crewlab.widgets.CostChart` (UI-83). */
import './costs/costs.css';
import { type Shown, View } from './costs/View';
import { component } from './live/mount';

export default component<Shown>(model => <View model={model} />);
