/** JupyterLab's own editor for the text of canvases. */
import { CodeEditor, type IEditorServices } from '@jupyterlab/codeeditor';
import type { NewEditor } from '../canvas/app';
import { fileLike } from '../shared/canvas/kinds';

/** Makes editors with the highlighting of the kind, or of the language that the canvas names. */
export function editors({ factoryService, mimeTypeService }: IEditorServices): NewEditor {
  return (host, { kind, language, text, readOnly, label, onChange }) => {
    const file = fileLike(kind);
    const mimeType = file === null ? mimeTypeService.getMimeTypeByLanguage({ name: language ?? '' }) : mimeTypeService.getMimeTypeByFilePath(file);
    const model = new CodeEditor.Model({ mimeType: String(mimeType) });
    model.sharedModel.setSource(text);
    const editor = factoryService.newDocumentEditor({ host, model, config: { readOnly, lineNumbers: true, lineWrap: true } });
    host.querySelector('.cm-content')?.setAttribute('aria-label', label);
    let quiet = false;
    model.sharedModel.changed.connect(() => {
      if (!quiet) {
        onChange(model.sharedModel.getSource());
      }
    });
    return {
      setText: next => {
        if (next !== model.sharedModel.getSource()) {
          quiet = true;
          model.sharedModel.setSource(next);
          quiet = false;
        }
      },
      setReadOnly: on => editor.setOption('readOnly', on),
      focus: () => editor.focus(),
      dispose: () => {
        editor.dispose();
        model.dispose();
        host.replaceChildren();
      }
    };
  };
}
