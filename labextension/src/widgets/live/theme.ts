/** Whether the page around the widget is JupyterLab; elsewhere the sheet's own values stand in for `--jp-*` (guide section 7). */
const DARK_BELOW = 128;
const ATTRIBUTES = ['class', 'style', 'data-vscode-theme-kind', 'data-jp-theme-light']; // where pages say their theme

/**
 * Keeps the classes of the widget's root right for the page it stands in: none in JupyterLab, else `alone` and perhaps
 * `dark`. The page is asked and not the root, which may not be in it yet. The answer ends it.
 */
export function followTheme(root: Element): () => void {
  const page = root.ownerDocument;
  const look = (): void => {
    const alone = getComputedStyle(page.body).getPropertyValue('--jp-layout-color1').trim() === '';
    root.classList.toggle('alone', alone);
    root.classList.toggle('dark', alone && isDark(page));
  };
  look();
  const watch = new MutationObserver(look);
  for (const place of [page.documentElement, page.body]) {
    watch.observe(place, { attributes: true, attributeFilter: ATTRIBUTES });
  }
  return () => watch.disconnect();
}

function isDark(page: Document): boolean {
  const marks = `${page.documentElement.className} ${page.body.className} ${page.body.dataset['vscodeThemeKind'] ?? ''}`;
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
