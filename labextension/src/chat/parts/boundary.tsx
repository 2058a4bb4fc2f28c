import { Component, type ReactNode } from 'react';
import type { Translate } from '../../shared/texts';

interface Props {
  t: Translate;
  copy: (text: string) => Promise<void>;
  children: ReactNode;
}

/**
 * Catches a crash while drawing and shows a card instead of nothing (UI-109, UI-110). Only the message and the place in
 * the code are shown and copied, never what was being drawn. A class, because React has no other form for it.
 */
export class Boundary extends Component<Props, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: Error } {
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }

  private details(fault: Error): string {
    return `${fault.name}: ${fault.message}\n${fault.stack ?? ''}`;
  }

  override render(): ReactNode {
    const { fault } = this.state;
    const { t } = this.props;
    if (!fault) {
      return this.props.children;
    }
    return (
      <div className="crew-fault">
        <div className="crew-card error" role="alert">
          <div className="crew-b">{t('fault.title')}</div>
          <div className="msg crew-sm">{fault.message}</div>
          <div className="crew-row crew-wrap">
            <button type="button" className="crew-btn primary" onClick={() => this.setState({ fault: null })}>
              {t('fault.again')}
            </button>
            <button type="button" className="crew-btn" onClick={() => globalThis.location.reload()}>
              {t('fault.reload')}
            </button>
            <button type="button" className="crew-btn" onClick={() => void this.props.copy(this.details(fault))}>
              {t('fault.details')}
            </button>
          </div>
        </div>
      </div>
    );
  }
}
