/** Markdown by JupyterLab's renderer and sanitizer (UI-26). */
import { type IRenderMime, type IRenderMimeRegistry, RenderMimeRegistry } from '@jupyterlab/rendermime';
import { linkPictures } from '../shared/pictures';

const MARKDOWN = 'text/markdown';
const MATH = /\$|\\[([]|\\begin\{/; // what JupyterLab's typesetter may take for a formula

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
    if (own.latexTypesetter && MATH.test(text)) {
      await typeset(own.latexTypesetter, renderer.node);
    }
    host.replaceChildren(renderer.node);
  };
}

/** Sets formulas on a stage that nobody sees: the typesetter measures in the page, and the thread shows only what is finished. */
async function typeset(typesetter: IRenderMime.ILatexTypesetter, node: HTMLElement): Promise<void> {
  const stage = document.createElement('div');
  stage.className = 'crew crew-stage';
  stage.setAttribute('aria-hidden', 'true');
  stage.append(node);
  document.body.append(stage);
  try {
    await typesetter.typeset(node);
  } catch (error) {
    console.error(error); // the source of the formula stands there in any case
  } finally {
    stage.remove();
  }
}

function factoriesOf(rendermime: IRenderMimeRegistry): IRenderMime.IRendererFactory[] {
  const factory = rendermime.getFactory(MARKDOWN);
  return factory ? [factory] : [];
}
