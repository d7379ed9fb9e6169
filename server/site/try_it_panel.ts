/**
 * The HTML of the panel for trying the API.
 *
 * @module
 */
import { type Html, markup, type Texts } from "../content/mod.ts";

/**
 * Renders the panel that calls the sandbox from the browser, one step after the other: a browser opens one of the
 * `details` at a time, as they have the same name. `try_it.js` makes the calls and reads its texts from the
 * attributes.
 *
 * @param steps the description of each step, in their order
 */
export function tryItPanel(texts: Texts["try_it"], steps: Record<string, Html>): Html {
  const items = Object.entries(steps).map(([name, text], index) =>
    markup`<li><details name="try-it" data-step="${name}"${index === 0 && markup` open`}>
<summary><span>${text}</span></summary>
</details></li>`
  );
  return markup`<div class="try-it" data-client="{{sandbox_client}}" data-run="${texts.run}"
 data-next="${texts.next}" data-again="${texts.again}" data-curl="${texts.curl}"
 data-copied="${texts.copied}" data-address="${texts.address}" data-running="${texts.running}"
 data-finished="${texts.finished}" data-failed="${texts.failed}"
 data-rate-limited="${texts.rate_limited}" data-request="${texts.request}"
 data-response="${texts.response}" data-totals="${texts.totals}" data-total="${texts.total}"
 data-last7-days="${texts.last_7_days}" data-last30-days="${texts.last_30_days}"
 data-by-lang="${texts.by_lang}" data-by-role="${texts.by_role}"
 data-by-building="${texts.by_building}" data-by-source="${texts.by_source}">
<noscript><p>${texts.without_scripts}</p></noscript>
<ol>
${items}
</ol>
<p role="status"></p>
</div>`;
}
