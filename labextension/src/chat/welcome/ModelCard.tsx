import { useState } from 'react';
import type { Answering } from '../../shared/contract';
import { IconButton } from '../parts/controls';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Words } from '../parts/words';
import { waysFor } from './model-ways';

/** What answers now, what it is good for, and the ways to a better one; or, without a model, what to do. */
export function ModelCard(): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const answering = useSelect(app.agents, state => state.answering);
  if (!answering) {
    return null;
  }
  const ways = waysFor(answering);
  return (
    <>
      <div className="crew-card crew-model">
        <Now answering={answering} again={ways.length > 0} />
        {ways.map(way => (
          <div key={way.title}>
            <Icon name={way.icon} />
            <div className="crew-grow">
              <div>{t(way.title)}</div>
              <div className="crew-sm crew-2">{t(way.text)}</div>
              {way.commands.map(command => (
                <Command key={command} text={command} />
              ))}
            </div>
          </div>
        ))}
      </div>
      {ways.length > 0 ? <div className="crew-sm crew-2 crew-foottext">{t('model.foot')}</div> : null}
    </>
  );
}

function Now({ answering, again }: { answering: Answering; again: boolean }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const none = answering.route === null;
  const why = none ? answering.mend || t('model.none_text') : answering.small ? t('model.small_text') : null;
  return (
    <div className={none ? 'warn' : undefined}>
      <Icon name={none ? 'warning' : 'model'} />
      <div className="crew-grow">
        <div className="crew-row crew-wrap">
          <span className="crew-b">{t(none ? 'model.none' : answering.small ? 'model.small' : 'model.good')}</span>
          {answering.route ? <span className="crew-label crew-mono">{answering.route}</span> : null}
        </div>
        {why ? (
          <div className="crew-sm crew-2">
            <Words text={why} />
          </div>
        ) : null}
      </div>
      {again ? <IconButton icon="refresh" label={t('model.recheck')} onClick={() => void app.agents.load()} /> : null}
    </div>
  );
}

function Command({ text }: { text: string }): JSX.Element {
  const app = useApp();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await app.copy(text);
    setCopied(true);
  };
  return (
    <div className="cmd">
      <code>{text}</code>
      <IconButton icon={copied ? 'check' : 'copy'} label={app.t(copied ? 'copy.copied' : 'copy.command')} onClick={() => void copy()} />
    </div>
  );
}
