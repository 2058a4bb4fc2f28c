import type { Approval } from '../../shared/contract';
import { Arguments } from '../parts/arguments';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { Plain } from '../parts/plain';
import { Exact } from './Exact';
import { Origin } from './Origin';
import { Changed } from './Changed';
import { type AskParts, changeOf, isLong, partsOf, sentenceOf } from './rules';

interface Props {
  approval: Approval;
  agent: string;
  all: boolean;
  onAll: (all: boolean) => void;
}

/** Sentence, what would happen word for word, reason, the other arguments (GATE-31, guide section 6). */
export function AskBody({ approval, agent, all, onAll }: Props): JSX.Element {
  const { t } = useApp();
  const { main, rest } = partsOf(approval);
  const change = changeOf(approval);
  const long = main !== null && main.name !== 'command' && isLong(main.text);
  return (
    <div className="body" tabIndex={scrolls(main, all || change !== null) ? 0 : undefined}>
      {told(approval) ? null : <div className="p">{sentenceOf(approval, agent, t)}</div>}
      {approval.context ? <div className="p crew-2">{approval.context}</div> : null}
      {change ? <Changed change={change} /> : null}
      <Decisive main={main} reason={approval.reason} folded={long && !all} />
      {approval.again ? (
        <div className="why">
          <Icon name="warning" size="s" />
          <span>{t('ask.again')}</span>
        </div>
      ) : null}
      <Origin approval={approval} />
      <Rest values={rest} long={long} bare={main === null && change === null} all={all} onAll={onAll} />
    </div>
  );
}

/** Why it asks, and the argument that says what would happen: the reason above a command, below everything else. */
function Decisive({ main, reason, folded }: { main: AskParts['main']; reason: string | null; folded: boolean }): JSX.Element {
  const command = main?.name === 'command';
  return (
    <>
      {main && command ? <AboveCommand text={main.text} reason={reason} /> : null}
      {main ? <MainText name={main.name} text={main.text} folded={folded} /> : null}
      {command ? null : <Why reason={reason} />}
    </>
  );
}

/** The argument that matters most. In a command every character counts; other texts keep what only joins letters. */
function MainText({ name, text, folded }: { name: string; text: string; folded: boolean }): JSX.Element {
  return <pre className={codeClass(name, folded)}>{name === 'command' ? <Exact text={text} /> : <Plain text={text} />}</pre>;
}

/** Whether the reason tells the whole call in paragraphs of its own, as that of a schedule does (GATE-31). */
function told({ reason, summary }: Approval): boolean {
  return summary === null && reason !== null && reason.includes('\n');
}

function Why({ reason }: { reason: string | null }): JSX.Element | null {
  const { t } = useApp();
  return reason === null ? null : (
    <div className="why">
      <Icon name="warning" size="s" />
      <span>
        <Exact text={reason.includes('\n') ? reason : t('ask.reason', { reason })} />
      </span>
    </div>
  );
}

/** What must not be missed below a long command stands above it: why it asks, and how much there is to read. */
function AboveCommand({ text, reason }: { text: string; reason: string | null }): JSX.Element {
  const { t } = useApp();
  const lines = text.split('\n').length;
  return (
    <>
      <Why reason={reason} />
      {isLong(text) ? <div className="p crew-sm crew-2">{t('ask.long_command', { lines, chars: text.length })}</div> : null}
    </>
  );
}

/** Whether the box may be longer than it is high, so that the keyboard must reach it. */
function scrolls(main: { name: string } | null, all: boolean): boolean {
  return all || main?.name === 'command';
}

function codeClass(name: string, folded: boolean): string {
  return folded ? 'crew-code folded' : name === 'command' ? 'crew-code exact' : 'crew-code';
}

interface RestProps {
  values: Record<string, unknown>;
  long: boolean;
  bare: boolean;
  all: boolean;
  onAll: (all: boolean) => void;
}

/** The other arguments: their names in one line, and "Show all" for everything word for word. */
function Rest({ values, long, bare, all, onAll }: RestProps): JSX.Element | null {
  const { t } = useApp();
  const names = Object.keys(values);
  if (names.length === 0 && !long) {
    return bare ? <div className="p crew-sm crew-2">{t('ask.no_arguments')}</div> : null;
  }
  return (
    <>
      {all && names.length > 0 ? <Arguments value={values} /> : null}
      <div className="p crew-sm">
        {all || names.length === 0 ? null : <span className="crew-2">{names.join(', ')} </span>}
        <button type="button" className="crew-link" aria-expanded={all} onClick={() => onAll(!all)}>
          {all ? t('ask.show_less') : t('ask.show_all')}
        </button>
      </div>
    </>
  );
}
