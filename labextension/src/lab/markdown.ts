/** Markdown by JupyterLab's renderer and sanitizer (UI-26). */
import { type IRenderMime, type IRenderMimeRegistry, RenderMimeRegistry } from '@jupyterlab/rendermime';
import { linkPictures } from '../shared/pictures';

const MARKDOWN = 'text/markdown';

/** Renders into a host element; raw HTML of a model runs nothing, pictures of other sites become links. */
export function markdownRenderer(rendermime: IRenderMimeRegistry): (text: string, host: HTMLElement) => Promise<void> {
  const base = rendermime.sanitizer;
  const sanitizer: IRenderMime.ISanitizer = {
    allowNamedProperties: base.allowNamedProperties ?? false,
    getAutolink: () => base.getAutolink?.() ?? true,
    sanitize: (dirty, options) => linkPictures(base.sanitize(dirty, options), window.location.origin)
  };
  const own = new RenderMimeRegistry({
    initialFactories: rendermime.mimeTypes.includes(MARKDOWN) ? factoriesOf(rendermime) : [],
    latexTypesetter: rendermime.latexTypesetter ?? undefined,
    markdownParser: rendermime.markdownParser ?? undefined,
    sanitizer
  });
  return async (text, host) => {
    const model = own.createModel({ data: { [MARKDOWN]: text }, trusted: false });
    const renderer = own.createRenderer(MARKDOWN);
    await renderer.renderModel(model);
    host.replaceChildren(renderer.node);
  };
}

function factoriesOf(rendermime: IRenderMimeRegistry): IRenderMime.IRendererFactory[] {
  const factory = rendermime.getFactory(MARKDOWN);
  return factory ? [factory] : [];
}
