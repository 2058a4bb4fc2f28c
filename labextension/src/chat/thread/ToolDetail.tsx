import { useState } from 'react';
import { tagOf } from '../../shared/canvas/tags';
import { Arguments } from '../parts/arguments';
import { useApp } from '../parts/context';
import { NestedCalls } from './NestedCalls';
import { OpenCanvas } from './OpenCanvas';
import { callsSaid, shownCalls, shownOutput, type ToolItem } from './tool-state';
import { shortArgument, shortenedWords, wordForWord } from './tool-words';

const LONG_ARGUMENTS = 600;

/** The open card: arguments, calls and result, each with its own way to see all of it (UI-31, UI-32). */
export function ToolDetail({ item }: { item: ToolItem }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const [calls, setCalls] = useState(false);
  const [result, setResult] = useState(item.state !== 'done' || item.calls.length === 0);
  const output = shownOutput(item);
  const few = shownCalls(item);
  const canvas = tagOf(item.name, item.output);
  return (
    <div className="crew-detail">
      <Argument item={item} />
      {item.calls.length > 0 ? <NestedCalls calls={calls ? item.calls : few} all={item.calls} /> : null}
      {output !== null && result ? (
        <pre className="crew-code" tabIndex={0} aria-label={t('tool.result')}>
          {output === '' ? t('tool.empty') : output}
        </pre>
      ) : null}
      <div className="foot">
        <span>{callsSaid(item, t)}</span>
        {canvas ? <OpenCanvas tag={canvas} /> : null}
        <span className="crew-grow" />
        {item.shortened ? <span>{shortenedWords(item.shortened, item.original_chars, t)}</span> : null}
        {few.length < item.calls.length ? <Turn on={calls} set={setCalls} show={t('tool.show_all_calls', { n: item.calls.length })} hide={t('ask.show_less')} /> : null}
        {output === null ? null : <Turn on={result} set={setResult} show={t('tool.show_result')} hide={t('tool.hide_result')} />}
        <button type="button" className="crew-link" onClick={() => void app.copy(`${wordForWord(item.arguments)}\n\n${item.output ?? ''}`)}>
          {t('thread.copy')}
        </button>
      </div>
    </div>
  );
}

/** The arguments: short ones whole, long ones behind "Show all" (UI-31). */
function Argument({ item }: { item: ToolItem }): JSX.Element | null {
  const { t } = useApp();
  const long = wordForWord(item.arguments).length > LONG_ARGUMENTS;
  const [all, setAll] = useState(!long);
  if (typeof item.arguments !== 'string' && Object.keys(item.arguments).length === 0) {
    return null;
  }
  return (
    <div>
      {all ? <Arguments value={item.arguments} /> : <div className="crew-code">{shortArgument(item.arguments)}</div>}
      {long ? (
        <div className="foot">
          <Turn on={all} set={setAll} show={t('ask.show_all')} hide={t('ask.show_less')} />
        </div>
      ) : null}
    </div>
  );
}

function Turn({ on, set, show, hide }: { on: boolean; set: (on: boolean) => void; show: string; hide: string }): JSX.Element {
  return (
    <button type="button" className="crew-link" aria-expanded={on} onClick={() => set(!on)}>
      {on ? hide : show}
    </button>
  );
}
