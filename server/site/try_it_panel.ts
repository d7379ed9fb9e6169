import { type Html, markup } from "./html.ts";
import type { Texts } from "./texts.ts";

/** What the panel is made with. */
export interface TryItPanelOptions {
  texts: Texts["try_it"];
  /** What each step does, in its order. */
  steps: Record<string, Html>;
  /** The published sandbox client, id and secret in one. */
  sandboxClient: string;
}

/**
 * The panel that runs the sandbox's flow in the browser. `try_it.js` makes the calls; the steps, and the
 * words it needs in the attributes, stand here.
 */
export function tryItPanel({ texts, steps, sandboxClient }: TryItPanelOptions): Html {
  const items = Object.entries(steps).map(([name, text]) =>
    markup`<li data-step="${name}"><p>${text}</p></li>`
  );
  return markup`<div class="try-it" data-client="${sandboxClient}" data-again="${texts.again}"
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
