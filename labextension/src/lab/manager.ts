/** The Crew manager in JupyterLab: its one tab, its commands, its place after a reload (UI-75, UI-130, UI-134). */
import type { ILayoutRestorer } from '@jupyterlab/application';
import { MainAreaWidget, type ICommandPalette, WidgetTracker } from '@jupyterlab/apputils';
import type { ILauncher } from '@jupyterlab/launcher';
import { crewIcon } from '../chat/icons';
import { ManagerWidget } from '../manager/widget';
import { createManager, type Manager } from '../shared/manage/manager';
import { placeOf } from '../shared/manage/place';
import { chatApp, type Parts } from './chatApp';
import { exportRun } from './exports';
import { Command, MANAGER_ID, NAMESPACE } from './ids';

export class ManagerTab {
  readonly manager: Manager;
  private readonly tracker = new WidgetTracker<MainAreaWidget<ManagerWidget>>({ namespace: `${NAMESPACE}-manager` });

  constructor(private readonly parts: Parts) {
    const { face } = parts;
    this.manager = createManager({
      crew: face.crew,
      device: face.device,
      connection: face.connection,
      onLook: found => face.build.saw(found),
      now: () => Date.now(),
      setTimeout: (run, ms) => window.setTimeout(run, ms),
      clearTimeout: timer => window.clearTimeout(timer)
    });
    face.language.subscribe(() => this.draw());
    window.addEventListener('beforeunload', event => {
      if (this.manager.team.unsaved(face.crew.agents.getSnapshot().agents).length > 0) {
        event.preventDefault(); // what was typed into a profile would be lost
      }
    });
    face.overseen = () => this.tracker.find(main => main.content.isVisible) !== undefined;
    this.manager.place.subscribe(() => this.tracker.forEach(main => void this.tracker.save(main)));
  }

  /** Shows the tab at a section; without one where it stands, or at what waits for a person (UI-77). */
  open(section: unknown, rest: unknown): void {
    const known = this.tracker.find(() => true);
    const main = known ?? this.make();
    const waits = this.parts.face.crew.activity.getSnapshot().view.pending > 0;
    if (typeof section === 'string' || waits || !known) {
      const place = placeOf(section ?? (waits ? 'approvals' : null), rest);
      this.manager.go(place.section, place.rest);
    }
    this.parts.app.shell.activateById(main.id);
  }

  /** Brings the tab back with the section it stood at. */
  restore(restorer: ILayoutRestorer | null): void {
    const args = (): { section: string; rest: string | null } => ({ ...this.manager.place.getSnapshot() });
    void restorer?.restore(this.tracker, { command: Command.openManager, args, name: () => 'manager' });
  }

  private make(): MainAreaWidget<ManagerWidget> {
    const { app, face } = this.parts;
    const content = new ManagerWidget();
    const main = new MainAreaWidget({ content });
    main.id = MANAGER_ID;
    main.title.icon = crewIcon;
    main.title.label = face.text('manager.name');
    main.title.closable = true;
    content.onVisible = () => {
      face.start();
      this.manager.start();
      face.onSeen();
    };
    main.disposed.connect(() => this.manager.stop());
    this.show(content);
    void this.tracker.add(main);
    app.shell.add(main, 'main', { type: 'Crew' });
    return main;
  }

  private show(widget: ManagerWidget): void {
    const { face } = this.parts;
    const chat = chatApp(this.parts, widget, 'main');
    widget.put({ chat, manager: this.manager, exportRun: (id, format) => void exportRun(face, id, format) });
  }

  private draw(): void {
    this.tracker.forEach(main => {
      main.title.label = this.parts.face.text('manager.name');
      this.show(main.content);
    });
  }
}

/** The commands, palette and launcher card of the manager (UI-130, UI-133). */
export function addManager(parts: Parts, tab: ManagerTab, palette: ICommandPalette | null, launcher: ILauncher | null): void {
  const { app, face } = parts;
  app.commands.addCommand(Command.openManager, {
    label: args => face.text(args['isLauncher'] ? 'manager.name' : 'command.manager'),
    caption: () => face.text('manager.caption'),
    icon: args => (args['isPalette'] ? undefined : crewIcon),
    execute: args => tab.open(args['section'], args['rest']),
    describedBy: { args: { type: 'object', properties: { section: { type: 'string' }, rest: { type: ['string', 'null'] } } } }
  });
  app.commands.addCommand(Command.openRun, {
    label: () => face.text('command.run'),
    execute: args => tab.open('activity', args['id'] ?? null),
    describedBy: { args: { type: 'object', properties: { id: { type: 'string' } } } }
  });
  app.commands.addCommand(Command.openScriptStore, {
    label: () => face.text('command.scripts'),
    execute: args => tab.open('memory', typeof args['agent'] === 'string' && args['agent'] !== '' ? `scripts/${args['agent']}` : 'scripts'),
    describedBy: { args: { type: 'object', properties: { agent: { type: 'string' } } } }
  });
  const category = face.text('category');
  palette?.addItem({ command: Command.openManager, category, args: { isPalette: true } });
  palette?.addItem({ command: Command.openScriptStore, category });
  launcher?.add({ command: Command.openManager, category: 'Other', rank: 1, args: { isLauncher: true } });
}
