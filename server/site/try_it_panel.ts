import { type Html, markup } from "../content/html.ts";
import type { Texts } from "../content/texts.ts";

/**
 * The panel that runs the sandbox's flow in the browser. `try_it.js` makes the calls; the steps, and the
 * words it needs in the attributes, stand here.
 *
 * @param steps what each step does, in its order
 */
export function tryItPanel(texts: Texts["try_it"], steps: Record<string, Html>): Html {
  const items = Object.entries(steps).map(([name, text]) =>
    markup`<li data-step="${name}"><p>${text}</p></li>`
  );
  return markup`<div class="try-it" data-client="{{sandbox_client}}" data-again="${texts.again}"
 data-running="${texts.running}" data-finished="${texts.finished}" data-failed="${texts.failed}"
 data-rate-limited="${texts.rate_limited}" data-request="${texts.request}"
 data-response="${texts.response}" data-totals="${texts.totals}" data-total="${texts.total}"
 data-last7-days="${texts.last_7_days}" data-last30-days="${texts.last_30_days}"
 data-by-lang="${texts.by_lang}" data-by-role="${texts.by_role}"
 data-by-building="${texts.by_building}" data-by-source="${texts.by_source}">
<noscript><p>${texts.without_scripts}</p></noscript>
<p class="try-it-bar"><button class="button" type="button" disabled>${texts.run}</button>
<span role="status"></span></p>
<ol>
${items}
</ol>
</div>`;
}
