import { useState } from 'react';
import type { NestedCall } from '../../shared/contract';
import { Arguments } from '../parts/arguments';
import { Bead } from '../parts/bead';
import { useApp } from '../parts/context';
import { duration, price } from '../parts/figures';
import type { ToolItem } from './tool-state';
import { shortArgument, toolWords, wordForWord } from './tool-words';

const LONG_ARGUMENTS = 600;
const FIRST_CALLS = 8;

/** The open card: arguments and result, each with its own "Show all" or "Show result" (UI-31, UI-32). */
export function ToolDetail({ item }: { item: ToolItem }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const text = typeof item.arguments === 'string' ? item.arguments : JSON.stringify(item.arguments);
  const [all, setAll] = useState(text.length <= LONG_ARGUMENTS);
  const [result, setResult] = useState(item.state !== 'done');
  const output = item.stream !== '' && item.output === null ? item.stream : item.output;
  const empty = typeof item.arguments !== 'string' && Object.keys(item.arguments).length === 0;
  const showsOutput = item.state !== 'error' && item.state !== 'refused' && output !== null;
  return (
    <div className="crew-detail">
      {empty ? null : all ? <Arguments value={item.arguments} /> : <div className="crew-code">{shortArgument(item.arguments)}</div>}
      {item.calls.length > 0 ? <Calls calls={item.calls} /> : null}
      {showsOutput && result ? (
        <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
          {output === '' ? t('tool.empty') : output}
        </pre>
      ) : null}
      <div className="foot">
        {text.length > LONG_ARGUMENTS ? (
          <button type="button" className="crew-link" onClick={() => setAll(!all)}>
            {all ? t('ask.show_less') : t('ask.show_all')}
          </button>
        ) : null}
        {showsOutput ? (
          <button type="button" className="crew-link" aria-expanded={result} onClick={() => setResult(!result)}>
            {result ? t('tool.hide_result') : t('tool.show_result')}
          </button>
        ) : null}
        <span className="crew-grow" />
        {item.shortened ? <span>{t('tool.shortened')}</span> : null}
        <button type="button" className="crew-link" onClick={() => void app.copy(`${wordForWord(item.arguments)}\n\n${output ?? ''}`)}>
          {t('thread.copy')}
        </button>
      </div>
    </div>
  );
}

/** Calls made inside a script or a cell, failed ones with their reason (UI-32, OUT-41). */
function Calls({ calls }: { calls: readonly NestedCall[] }): JSX.Element {
  const { t } = useApp();
  const [all, setAll] = useState(false);
  const shown = all ? calls : calls.slice(0, FIRST_CALLS);
  return (
    <>
      <ul className="crew-nest">
        {shown.map((call, index) => (
          <li key={index} className={call.ok ? undefined : 'bad'}>
            <Bead kind={call.ok ? 'tool' : 'error'} free />
            {toolWords(call.name, false, t)}
            <span className="arg crew-ell">{shortArgument(call.arguments)}</span>
            {call.ok ? null : <span>{call.output}</span>}
            <span className="m">
              {duration(call.ms)}
              {call.cost_usd ? `, ${price(call.cost_usd, t)}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {calls.length > FIRST_CALLS ? (
        <div className="foot">
          <button type="button" className="crew-link" onClick={() => setAll(!all)}>
            {all ? t('ask.show_less') : t('tool.show_all_calls', { n: calls.length })}
          </button>
        </div>
      ) : null}
    </>
  );
}
