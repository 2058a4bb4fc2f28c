import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import { browserOf } from '../../shared/manage/team/blocks';

/** Says at once when this machine has the browser switched off or not installed (UI-88). */
export function BrowserState(): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const browser = browserOf(useSelect(app.agents, state => state.connections));
  if (browser === null || (browser.enabled && browser.missing === '')) {
    return null;
  }
  return (
    <div className="crew-card warn crew-notice">
      <div className="crew-row">
        <Icon name="warning" size="s" />
        <span>{t(browser.enabled ? 'browser.missing' : 'browser.disabled')}</span>
      </div>
      {browser.install_command ? <pre className="crew-code">{browser.install_command}</pre> : null}
    </div>
  );
}
