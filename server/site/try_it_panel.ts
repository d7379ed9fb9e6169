/** The panel on which developers try the API. @module */
import { Html, markup, renderInline, type Texts } from "../content/mod.ts";

/**
 * The panel to try the API. The script `try_it.js` calls the sandbox, and reads the texts that it shows from the
 * `data-` attributes. All `details` have the same name, so that browsers keep only one of them open.
 */
export function tryItPanel(texts: Texts["try_it"]): Html {
  const items = Object.entries(texts.steps).map(([name, text], index) =>
    markup`<li><details name="try-it" data-step="${name}"${index === 0 && markup` open`}>
<summary><span>${new Html(renderInline(text))}</span></summary>
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
