/** Pictures of other sites are shown as links, so that reading an answer asks nobody else for anything (UI-26). */

/** `html` with every picture that does not come from `origin` or from the text itself replaced by a link. */
export function linkPictures(html: string, origin: string): string {
  if (!/<(img|picture|source|video|audio)\b/i.test(html)) {
    return html;
  }
  // A document made by the parser is inert: nothing in it is fetched.
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const element of page.querySelectorAll('img, video, audio')) {
    const address = element.getAttribute('src') ?? '';
    element.removeAttribute('srcset');
    if (foreign(address, origin)) {
      element.replaceWith(link(page, address, element.getAttribute('alt') ?? ''));
    }
  }
  page.querySelectorAll('source, track').forEach(element => element.remove());
  page.querySelectorAll('video[poster]').forEach(element => element.removeAttribute('poster'));
  return page.body.innerHTML;
}

function foreign(address: string, origin: string): boolean {
  if (/^(data|blob|attachment):/i.test(address)) {
    return false;
  }
  try {
    return new URL(address, origin).origin !== origin;
  } catch {
    return true;
  }
}

function link(page: Document, address: string, words: string): HTMLElement {
  const anchor = page.createElement('a');
  anchor.href = address;
  anchor.rel = 'noopener noreferrer';
  anchor.target = '_blank';
  anchor.textContent = words.trim() || address;
  return anchor;
}
