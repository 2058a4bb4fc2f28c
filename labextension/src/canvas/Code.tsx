import { useEffect, useRef } from 'react';
import { forEditor } from '../shared/canvas/ends';
import type { EditorView } from './app';
import { useCanvas } from './context';

interface Props {
  kind: string;
  language: string | null;
  text: string;
  label: string;
  /** Without it the text can only be read. */
  onChange?: (text: string) => void;
}

/** JupyterLab's own editor. Line ends that a person did not touch stay as they were written (CNV-28). */
export function Code({ kind, language, text, label, onChange }: Props): JSX.Element {
  const { newEditor } = useCanvas();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef({ text, onChange, ends: forEditor(text) });
  latest.current.onChange = onChange;
  const readOnly = onChange === undefined;
  useEffect(() => {
    if (!host.current) {
      return undefined;
    }
    const made = newEditor(host.current, {
      ...{ kind, language, label, readOnly },
      text: latest.current.ends.text,
      onChange: edited => {
        const back = latest.current.ends.back(edited);
        latest.current.text = back;
        latest.current.onChange?.(back);
      }
    });
    editor.current = made;
    if (!readOnly) {
      made.focus();
    }
    return () => {
      editor.current = null;
      made.dispose();
    };
  }, [newEditor, kind, language, label, readOnly]);
  useEffect(() => {
    if (text !== latest.current.text) {
      latest.current.text = text;
      latest.current.ends = forEditor(text);
      editor.current?.setText(latest.current.ends.text);
    }
  }, [text]);
  return <div ref={host} className="crew-canvas-code" />;
}
