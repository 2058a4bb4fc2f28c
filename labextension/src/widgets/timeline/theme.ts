/** Whether the page around the widget is JupyterLab; elsewhere the sheet's own values stand in for `--jp-*` (guide section 7). */
const DARK_BELOW = 128;

/** The classes of the widget's root for the page it stands in: none in JupyterLab, else `alone` and perhaps `dark`. */
export function themeClasses(element: Element): string[] {
  if (getComputedStyle(element).getPropertyValue('--jp-layout-color1').trim() !== '') {
    return [];
  }
  return isDark(element) ? ['alone', 'dark'] : ['alone'];
}

function isDark(element: Element): boolean {
  const page = element.ownerDocument;
  const marks = `${page.documentElement.className} ${page.body?.className ?? ''} ${page.body?.dataset['vscodeThemeKind'] ?? ''}`;
  if (/\b(vscode-light|light-theme|light)\b/.test(marks)) {
    return false;
  }
  if (/\b(vscode-dark|vscode-high-contrast|dark-theme|dark)\b/.test(marks)) {
    return true;
  }
  const ground = /rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)/.exec(getComputedStyle(page.body).backgroundColor);
  if (ground && ground[4] !== '0') {
    return (Number(ground[1]) * 299 + Number(ground[2]) * 587 + Number(ground[3]) * 114) / 1000 < DARK_BELOW;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
