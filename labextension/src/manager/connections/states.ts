/** States of this machine in words: browser, desktop helper, sandboxes. Pure. */
import type { BrowserBlock, DesktopBlock } from '../../shared/manage/team/blocks';
import type { Translate } from '../../shared/texts';

export interface StateLine {
  text: string;
  good: boolean;
}

/** The browser of the machine in one line. */
export function browserLine(browser: BrowserBlock, t: Translate): StateLine {
  if (!browser.enabled) {
    return { text: t('browser.off'), good: false };
  }
  return browser.installed && browser.missing === '' ? { text: t('browser.ready', { version: browser.version }), good: true } : { text: t('browser.not_installed'), good: false };
}

/** The helper of the desktop, line by line; what it does not say is left out. */
export function desktopLines(desktop: DesktopBlock, t: Translate): StateLine[] {
  if (!desktop.present) {
    return [{ text: t('desktop.absent'), good: false }];
  }
  const lines: (StateLine | null)[] = [
    { text: t('desktop.present', { version: desktop.version ?? '' }), good: true },
    desktop.locked === true ? { text: t('desktop.locked'), good: false } : null,
    desktop.display_asleep === true ? { text: t('desktop.asleep'), good: false } : null,
    desktop.screen_recording === false ? { text: t('desktop.no_screen'), good: false } : null,
    desktop.accessibility === false ? { text: t('desktop.no_access'), good: false } : null
  ];
  return lines.filter(line => line !== null);
}
