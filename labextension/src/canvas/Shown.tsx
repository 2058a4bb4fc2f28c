import { useEffect, useRef, useState } from 'react';
import { versionPath } from '../shared/canvas/api';
import { Renderer } from '../chat/thread/renderer';
import { useCanvas } from './context';

/** Markdown by JupyterLab's renderer and sanitizer: nothing in it runs (CNV-113). */
export function Text({ text, live }: { text: string; live: boolean }): JSX.Element {
  const app = useCanvas();
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<Renderer | null>(null);
  useEffect(() => {
    if (host.current) {
      renderer.current ??= new Renderer(host.current, (markdown, into) => app.renderMarkdown(markdown, into));
      renderer.current.draw(text, live);
    }
  }, [app, text, live]);
  useEffect(
    () => () => {
      renderer.current?.stop();
      renderer.current = null;
    },
    []
  );
  return (
    <div className="crew-canvas-body text" tabIndex={0}>
      <div ref={host} className={live ? 'crew-text live' : 'crew-text'} />
    </div>
  );
}

/**
 * The page of a version, in the holder that keeps it where it is (CNV-114 to CNV-118). The address names the version, so
 * what is looked at does not change under the person (CNV-123). Messages from the page are heard by nobody (CNV-119).
 */
export function Frame({ id, version, title }: { id: string; version: number; title: string }): JSX.Element {
  const app = useCanvas();
  const address = app.apiUrl(versionPath(id, version, 'holder'));
  return (
    <iframe
      key={address}
      className="crew-canvas-frame"
      src={address}
      title={app.t('canvas.page', { title, n: String(version) })}
      referrerPolicy="no-referrer"
    />
  );
}

const SVG = 'image/svg+xml';

/** A picture by an object URL: as an image nothing in it acts (CNV-113). `text` is the source of an svg, null for a picture of bytes. */
export function Picture({ id, version, text, title }: { id: string; version: number; text: string | null; title: string }): JSX.Element {
  const app = useCanvas();
  const [address, setAddress] = useState<string | null>(null);
  const [bad, setBad] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let made: string | null = null;
    const show = (blob: Blob): void => {
      if (!stop.signal.aborted) {
        made = URL.createObjectURL(blob);
        setAddress(made);
      }
    };
    if (text === null) {
      app.blob(versionPath(id, version, 'raw'), stop.signal).then(show, (error: unknown) => {
        if (!stop.signal.aborted) {
          setBad(app.t('canvas.problem', { message: error instanceof Error ? error.message : String(error) }));
        }
      });
    } else {
      show(new Blob([text], { type: SVG }));
    }
    return () => {
      stop.abort();
      if (made !== null) {
        URL.revokeObjectURL(made);
      }
      setAddress(null);
      setBad(null);
    };
  }, [app, id, version, text]);
  if (bad !== null) {
    return (
      <div className="crew-canvas-none crew-2" role="note">
        {bad}
      </div>
    );
  }
  return (
    <div className="crew-canvas-body picture" tabIndex={0}>
      {address === null ? null : <img src={address} alt={title} onError={() => setBad(app.t(text === null ? 'canvas.image_bad' : 'canvas.picture_bad'))} />}
    </div>
  );
}
