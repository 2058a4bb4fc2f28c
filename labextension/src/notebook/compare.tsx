/** The comparison before a cell is replaced (UI-138). */
import { Dialog, ReactWidget, showDialog } from '@jupyterlab/apputils';
import { diffLines } from '../shared/notebook/diff';
import type { Translate } from '../shared/texts';

const SIGN = { same: ' ', less: '−', more: '+' } as const;

interface Asked {
  title: string;
  before: string;
  after: string;
  t: Translate;
  cancel: string;
}

/** Shows what would change and asks; nothing is asked when nothing would. */
export async function comparison({ title, before, after, t, cancel }: Asked): Promise<boolean> {
  if (before === after) {
    await showDialog({ title, body: t('cells.same'), buttons: [Dialog.okButton({ label: t('cells.close') })] });
    return false;
  }
  const body = ReactWidget.create(<Comparison before={before} after={after} t={t} />);
  body.addClass('crewlab-Compare');
  const buttons = [Dialog.cancelButton({ label: cancel }), Dialog.okButton({ label: t('cells.replace_do') })];
  const result = await showDialog({ title, body, buttons, defaultButton: 0 });
  return result.button.accept;
}

function Comparison({ before, after, t }: { before: string; after: string; t: Translate }): JSX.Element {
  return (
    <div className="crew crew-diff" role="region" tabIndex={0} aria-label={t('cells.compare')}>
      <table>
        <tbody>
          {diffLines(before, after).map((line, index) => (
            <tr key={index} className={line.kind}>
              <td className="n">{line.old}</td>
              <td className="n">{line.now}</td>
              <td className="s">
                <span aria-hidden="true">{SIGN[line.kind]}</span>
                {line.kind === 'same' ? null : <span className="crew-hidden">{t(line.kind === 'less' ? 'cells.less' : 'cells.more')}</span>}
              </td>
              <td className="x">{line.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
