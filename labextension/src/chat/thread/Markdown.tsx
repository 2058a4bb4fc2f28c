import { memo, useEffect, useRef } from 'react';
import { useApp } from '../parts/context';
import { addCodeTools } from './codeTools';
import { Renderer } from './renderer';

interface Props {
  text: string;
  /** While the text is being written: a block caret at its end. */
  live: boolean;
  /** Key of the answer that the text belongs to. */
  of: string;
}

/**
 * Markdown by JupyterLab's renderer (UI-26). The new drawing is made beside and put in place when it is ready, so that
 * nothing flickers; while text comes it is drawn at most 20 times a second.
 */
export const Markdown = memo(function Markdown({ text, live, of }: Props): JSX.Element {
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<Renderer | null>(null);
  useEffect(() => {
    if (host.current) {
      renderer.current ??= new Renderer(
        host.current,
        (markdown, into) => app.renderMarkdown(markdown, into),
        drawn => addCodeTools(drawn, app, of)
      );
      renderer.current.draw(text, live);
    }
  }, [app, text, live, of]);
  useEffect(
    () => () => {
      renderer.current?.stop();
      renderer.current = null;
    },
    []
  );
  return <div ref={host} className={live ? 'crew-text live' : 'crew-text'} />;
});
