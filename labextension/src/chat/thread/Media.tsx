import { useEffect, useState } from 'react';
import { MAX_FILE_BYTES, nameOf, type Piece, refusalOf, suffixOf } from '../../shared/media';
import { failureOf } from '../../shared/api';
import type { Translate } from '../../shared/texts';
import { useApp } from '../parts/context';
import { Icon } from '../parts/icon';
import { CanvasChip } from './CanvasChip';
import { useAgent } from './useAgent';

const MEGABYTE = 1024 * 1024;
const NOT_FOUND = 404;
const KEEP_MS = 60_000; // a download reads its address once, soon after the click
const TYPES: Record<string, string> = { jpg: 'image/jpeg' };

type Attached = Exclude<Piece, { kind: 'text' }>;

/** A picture, a file or a canvas that an answer names (UI-36); `agent` is the one whose workspace holds it, when it is another's (MED-11). */
export function Media({ piece, agent }: { piece: Attached; agent: string | null }): JSX.Element {
  const { t } = useApp();
  const why = refusalOf(piece);
  if (piece.kind === 'canvas') {
    return <CanvasChip id={piece.id} version={null} title={null} />;
  }
  if (why !== null) {
    return <Refused name={piece.path} why={t(why)} file={piece.kind === 'file'} />;
  }
  return piece.kind === 'picture' ? <Picture path={piece.path} of={agent} /> : <Download path={piece.path} of={agent} />;
}

/** One line that says why nothing is there (MED-7). */
function Refused({ name, why, file }: { name: string; why: string; file: boolean }): JSX.Element {
  const { t } = useApp();
  return (
    <div className="crew-media-off crew-sm" role="note">
      <Icon name="warning" size="s" />
      <span>{t(file ? 'media.not_offered' : 'media.failed', { name, why })}</span>
    </div>
  );
}

interface FileOf {
  path: string;
  of: string | null;
}

function Picture({ path, of }: FileOf): JSX.Element {
  const app = useApp();
  const { t } = app;
  const agent = useAgent(of ?? undefined).id;
  const [address, setAddress] = useState<string | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const { files } = app;
  useEffect(() => {
    const stop = new AbortController();
    let made: string | null = null;
    files.read(agent, path, stop.signal).then(
      blob => {
        if (!stop.signal.aborted) {
          const suffix = suffixOf(path);
          made = URL.createObjectURL(new Blob([blob], { type: TYPES[suffix] ?? `image/${suffix}` })); // the table's type, whatever came
          setAddress(made);
        }
      },
      (error: unknown) => (stop.signal.aborted ? undefined : setWhy(because(error, t)))
    );
    return () => {
      stop.abort();
      if (made !== null) {
        URL.revokeObjectURL(made);
      }
      setAddress(null);
      setWhy(null);
    };
  }, [agent, files, path, t]);
  if (why !== null) {
    return <Refused name={path} why={why} file={false} />;
  }
  return (
    <figure className="crew-media">
      {address === null ? (
        <div className="wait crew-sm crew-2">{t('media.loading', { name: nameOf(path) })}</div>
      ) : (
        <img src={address} alt={nameOf(path)} onError={() => setWhy(t('media.picture_format'))} />
      )}
      <figcaption>
        <span className="crew-ell crew-grow" title={path}>
          {path}
        </span>
        {address === null ? null : (
          <a className="crew-link" href={address} target="_blank" rel="noopener noreferrer" aria-label={`${t('media.open')}: ${nameOf(path)}`}>
            {t('media.open')}
          </a>
        )}
      </figcaption>
    </figure>
  );
}

function Download({ path, of }: FileOf): JSX.Element {
  const app = useApp();
  const { files, t } = app;
  const agent = useAgent(of ?? undefined).id;
  const [size, setSize] = useState<number | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let there = true;
    files.size(agent, path).then(
      bytes => (there ? setSize(bytes) : undefined),
      (error: unknown) => (there ? setWhy(because(error, t)) : undefined)
    );
    return () => {
      there = false;
      setSize(null);
      setWhy(null);
    };
  }, [agent, files, path, t]);
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      save(await files.read(agent, path), nameOf(path));
    } catch (error) {
      setWhy(because(error, t));
    }
    setBusy(false);
  };
  if (why !== null) {
    return <Refused name={path} why={why} file />;
  }
  if (size !== null && size > MAX_FILE_BYTES) {
    const limit = MAX_FILE_BYTES / MEGABYTE;
    return <Refused name={path} why={t('media.too_large', { size: Math.ceil(size / MEGABYTE), limit })} file />;
  }
  return (
    <button type="button" className="crew-chip crew-file" disabled={busy || size === null} title={path} aria-label={`${t('media.download')}: ${nameOf(path)}`} onClick={() => void take()}>
      <Icon name="download" size="s" />
      <span className="crew-ell">{nameOf(path)}</span>
      {size === null ? null : <span className="crew-2 crew-num">{sized(size, app.language)}</span>}
    </button>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

/** Why a file did not come, in the words of this page where it knows better than to repeat the path. */
function because(error: unknown, t: Translate): string {
  const { status, message } = failureOf(error);
  return status === NOT_FOUND ? t('media.not_there') : message;
}

/** `12 KB`, `3.4 MB`. */
function sized(bytes: number, language: string): string {
  const large = bytes >= MEGABYTE;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: large ? 1 : 0 }).format(large ? bytes / MEGABYTE : Math.ceil(bytes / 1024));
  return `${number} ${large ? 'MB' : 'KB'}`;
}
