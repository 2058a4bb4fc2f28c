/** The front end of `crewlab.widgets.Chat`: the thread, the cards and the composer of the panel (UI-155, UI-161). */
import './chat/chat.css';
import type { Shown } from './chat/state';
import { View } from './chat/View';
import { component } from './live/mount';

export default component<Shown>(model => <View model={model} />);
