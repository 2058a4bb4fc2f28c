/** The buttons over a code block of a finished answer (UI-138). Plain DOM, because the block is drawn by JupyterLab's renderer. */
import { NotebookCommand } from '../../shared/notebook/ids';
import type { ChatApp } from '../app';
import { svgs, type IconName } from '../parts/svgs';

const MARK = 'crew-codeblock';

/** Puts a head over every code block in `host`; `key` names the answer. A second call changes nothing. */
export function addCodeTools(host: HTMLElement, app: ChatApp, key: string): void {
  for (const block of host.querySelectorAll<HTMLElement>('pre > code')) {
    const pre = block.parentElement;
    if (pre && !pre.parentElement?.classList.contains(MARK)) {
      const box = document.createElement('div');
      box.className = MARK;
      pre.replaceWith(box);
      box.append(head(block, app, key), pre);
    }
  }
}

function head(block: HTMLElement, app: ChatApp, key: string): HTMLElement {
  const language = /(?:^|\s)language-(\S+)/.exec(block.className)?.[1] ?? '';
  const code = (block.textContent ?? '').replace(/\n$/, '');
  const args = { code, language, key };
  const bar = document.createElement('div');
  bar.className = 'head';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', app.t('cells.tools'));
  const name = document.createElement('span');
  name.className = 'crew-grow crew-ell';
  name.textContent = language;
  bar.append(name, copyButton(app, code));
  if (app.has(NotebookCommand.insertCode)) {
    bar.append(
      button('insert', app.t('cells.below'), () => app.execute(NotebookCommand.insertCode, args)),
      button('replace', app.t('cells.replace'), () => app.execute(NotebookCommand.replaceCell, args)),
      button('notebook', app.t('cells.fresh'), () => app.execute(NotebookCommand.insertCode, { ...args, fresh: true }))
    );
  }
  return bar;
}

function copyButton(app: ChatApp, code: string): HTMLElement {
  const made = button('copy', app.t('cells.copy'), () => {
    void app.copy(code).then(() => made.replaceChildren(icon('check')));
  });
  return made;
}

function button(name: IconName, label: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'crew-ib';
  made.title = label;
  made.setAttribute('aria-label', label);
  made.append(icon(name));
  made.addEventListener('click', run);
  return made;
}

function icon(name: IconName): HTMLElement {
  const made = document.createElement('span');
  made.className = 'crew-i s';
  made.setAttribute('aria-hidden', 'true');
  made.innerHTML = svgs[name]; // a file of this package
  return made;
}
