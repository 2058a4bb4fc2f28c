/** The front end of `crewlab.widgets.ScriptStore` (STO-55). */
import { component } from './live/mount';
import './store/store.css';
import type { Shown } from './store/shelf';
import { View } from './store/View';

export default component<Shown>(model => <View model={model} />);
