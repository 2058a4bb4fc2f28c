/** Markdown where no renderer of JupyterLab is: GitHub's by marked, cleaned by DOMPurify (UI-156). Formulas stay as they are written. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { linkPictures } from '../../shared/pictures';

const FORBIDDEN = ['style', 'form', 'input', 'button', 'textarea', 'select', 'option', 'dialog', 'template', 'svg', 'math', 'iframe', 'audio', 'video'];
const LANGUAGE = /^language-[\w+#.-]+$/;
const NOWHERE = 'about:blank'; // the origin of a page that no picture comes from
const WEB = /^(https?:|mailto:)/i;

/** Renders into a host element; raw HTML of a model runs nothing, and pictures become links: reading an answer asks nobody for anything (UI-26). */
export async function renderMarkdown(text: string, host: HTMLElement): Promise<void> {
  const html = await marked.parse(text, { gfm: true, breaks: false });
  const clean = DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: FORBIDDEN, FORBID_ATTR: ['style', 'id', 'name'], ALLOW_DATA_ATTR: false });
  const made = document.createElement('div');
  made.className = 'jp-RenderedHTMLCommon';
  made.innerHTML = linkPictures(clean, NOWHERE);
  dropClasses(made);
  for (const link of made.querySelectorAll('a')) {
    keepInPlace(link);
  }
  host.replaceChildren(made);
}

/** Links open in a tab of their own; those that lead to no website are words. */
function keepInPlace(link: HTMLAnchorElement): void {
  if (WEB.test(link.getAttribute('href') ?? '')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  } else {
    link.removeAttribute('href');
  }
}

/** The only class that means something here is the language of a code block. */
function dropClasses(made: HTMLElement): void {
  for (const element of made.querySelectorAll('[class]')) {
    if (element.tagName !== 'CODE' || !LANGUAGE.test(element.className)) {
      element.removeAttribute('class');
    }
  }
}
