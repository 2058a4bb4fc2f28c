import { isKey, type Translate } from '../../shared/texts';
import type { Failure } from '../../shared/stores/types';
import { useApp } from '../parts/context';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';

/** Why words did not go out, beside the composer; the words stay in it (UI-46, UI-48, UI-49). */
export function Refusals({ again }: { again: () => Promise<void> }): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const unsent = useSelect(app.conversation, state => state.unsent);
  const notice = useSelect(app.conversation, state => state.stopNotice);
  const words = useSelect(app.conversation, state => (state.patchFailure && state.lock === 'cap' ? state.patchFailure.message : null));
  return (
    <>
      {unsent ? (
        <div className="crew-refusal error" role="alert">
          <Icon name="warning" size="s" />
          <span className="crew-grow">{refusal(unsent.failure, t)}</span>
          {unsent.again ? (
            <button type="button" className="crew-link" onClick={() => void again()}>
              {t('composer.send_again')}
            </button>
          ) : null}
          <button type="button" className="crew-link" aria-label={t('panel.close')} onClick={() => app.conversation.clearUnsent()}>
            <Icon name="close" size="s" />
          </button>
        </div>
      ) : null}
      {words ? (
        <div className="crew-refusal error" role="alert">
          <Icon name="warning" size="s" />
          <span>{t('options.not_saved', { message: words })}</span>
        </div>
      ) : null}
      {notice ? (
        <div className="crew-refusal crew-2" role="status">
          <Icon name="info" size="s" />
          <span>{t(notice === 'elsewhere' ? 'composer.elsewhere' : 'composer.unanswered')}</span>
        </div>
      ) : null}
    </>
  );
}

function refusal(failure: Failure, t: Translate): string {
  const key: string = `refused.${failure.code}`;
  return isKey(key) ? t(key) : t('refused.other', { message: failure.message });
}
