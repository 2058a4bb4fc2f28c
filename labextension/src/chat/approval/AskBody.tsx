import type { Approval } from '../../shared/contract';
import { Arguments } from '../parts/arguments';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { Plain } from '../parts/plain';
import { Origin } from './Origin';
import { isLong, partsOf, sentenceOf } from './rules';

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
  const long = main !== null && isLong(main.text);
  return (
    <div className="body" tabIndex={all ? 0 : undefined}>
      <div className="p">{sentenceOf(approval, agent, t)}</div>
      {approval.context ? <div className="p crew-2">{approval.context}</div> : null}
      {main ? <pre className={long && !all ? 'crew-code folded' : 'crew-code'}><Plain text={main.text} /></pre> : null}
      {approval.reason === null ? null : (
        <div className="why">
          <Icon name="warning" size="s" />
          <span>{t('ask.reason', { reason: approval.reason })}</span>
        </div>
      )}
      {approval.again ? (
        <div className="why">
          <Icon name="warning" size="s" />
          <span>{t('ask.again')}</span>
        </div>
      ) : null}
      <Origin approval={approval} />
      <Rest values={rest} long={long} bare={main === null} all={all} onAll={onAll} />
    </div>
  );
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
