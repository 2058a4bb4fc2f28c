import { useApp } from '../../chat/parts/context';
import type { Connections } from '../../shared/contract';
import { browserOf, desktopOf } from '../../shared/manage/team/blocks';
import { Group, State } from './ConnectionsPage';
import { browserLine, desktopLines } from './states';

/** What this machine can hold; a block that the server does not report is not drawn (CHN-40). */
export function Machine({ connections }: { connections: Connections }): JSX.Element {
  const { t } = useApp();
  const browser = browserOf(connections);
  const desktop = desktopOf(connections);
  return (
    <>
      {browser ? (
        <Group icon="open" title={t('browser.title')}>
          <div className="crew-line">
            <span>{browser.channel}</span>
            <State good={browserLine(browser, t).good} text={browserLine(browser, t).text} />
          </div>
          {browser.install_command ? <pre className="crew-code mend">{browser.install_command}</pre> : null}
        </Group>
      ) : null}
      {desktop ? (
        <Group icon="model" title={t('desktop.title')}>
          {desktopLines(desktop, t).map(({ text, good }) => (
            <div className="crew-line" key={text}>
              <State good={good} text={text} />
            </div>
          ))}
        </Group>
      ) : null}
      <Sandboxes connections={connections} />
    </>
  );
}

/** The fences around commands and scripts, and why one is not there (SHL-88, SCR-13). */
function Sandboxes({ connections: { shell_sandbox: shell, script_sandbox: script } }: { connections: Connections }): JSX.Element {
  const { t } = useApp();
  return (
    <Group icon="approvals" title={t('sandbox.title')}>
      <div className="crew-line">
        <span>{t('sandbox.closed')}</span>
        <State good={shell.closed} text={t(shell.closed ? 'sandbox.works' : 'sandbox.refused')} />
      </div>
      <div className="crew-line">
        <span>{t('sandbox.write_limited')}</span>
        <State good={shell.write_limited} text={t(shell.write_limited ? 'sandbox.works' : 'sandbox.refused')} />
      </div>
      {shell.why ? <p className="crew-sm crew-2 mend">{shell.why}</p> : null}
      <div className="crew-line">
        <span>{t('sandbox.scripts')}</span>
        <State good={script.active} text={t(script.active ? 'sandbox.works' : script.mode === 'required' ? 'sandbox.scripts_refused' : 'sandbox.scripts_without')} />
      </div>
      {script.why ? <p className="crew-sm crew-2 mend">{script.why}</p> : null}
    </Group>
  );
}
