import { useEffect, useRef, useState } from 'react';
import { useApp } from '../chat/parts/context';
import { Plain } from '../chat/parts/plain';
import { failureOf } from '../shared/api';
import type { ScriptValue } from '../shared/scriptstore/types';
import { laidOut } from '../shared/scriptstore/written';

interface Props {
  read: () => Promise<ScriptValue>;
  /** The key is gone: the list is read again. */
  gone: () => void;
}

const NOT_FOUND = 404;

/** One whole value in a box of its own that the keyboard reaches (STO-49); it is read when it is opened. */
export function Value({ read, gone }: Props): JSX.Element {
  const { t } = useApp();
  const [text, setText] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const first = useRef({ read, gone });
  useEffect(() => {
    let there = true;
    first.current.read().then(
      value => (there ? setText(value.text) : undefined),
      (error: unknown) => {
        const { status, message } = failureOf(error);
        if (there && status === NOT_FOUND) {
          first.current.gone(); // STO-50
        }
        if (there) {
          setFailure(message);
        }
      }
    );
    return () => {
      there = false;
    };
  }, []);
  if (failure !== null) {
    return (
      <div className="crew-sm crew-t-error" role="alert">
        {t('store.not_read', { message: failure })}
      </div>
    );
  }
  if (text === null) {
    return <div className="crew-sm crew-2">{t('widgets.loading')}</div>;
  }
  const nice = laidOut(text);
  return (
    <>
      {nice === null ? <div className="crew-sm crew-2">{t('store.no_json')}</div> : null}
      <pre className="crew-code value" tabIndex={0} aria-label={t('store.value')}>
        <Plain text={nice ?? text} />
      </pre>
    </>
  );
}
