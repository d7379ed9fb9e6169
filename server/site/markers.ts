/** What replaces a marker such as `{{sign-up hero}}`: forms, the panel that tries the API, and slots. @module */
import {
  Html,
  type Language,
  markup,
  renderInline,
  type SourcePage,
  type Texts,
} from "../content/mod.ts";
import { SOURCES } from "../waitlist/mod.ts";
import { signUpForm } from "./sign_up_form.ts";

interface Marker {
  html: () => Html;
  /** The file name of the script that the HTML needs. */
  script?: string;
  /** The text in the page's Markdown; none by default. */
  markdown?: string;
}

/** The parts of the person's page that differ, each with the marker `{{place-…}}`. */
const SLOTS = ["address", "confirm", "invitation", "kept", "data", "leave"] as const;
export type Slot = typeof SLOTS[number];

/** The place of a part that is put in for each request; `form` is the form that was refused. */
export function slotHtml(slot: Slot | "form"): string {
  return `<slot name="${slot}"></slot>`;
}

/** The place of the token in the address of the person's page. */
export const TOKEN_SLOT = "{token}";

export function markersOf(
  { lang, path }: SourcePage,
  { texts: { sign_up, try_it, place } }: Language,
  mail: boolean,
): Record<string, Marker> {
  const renderText = (text: string) => new Html(renderInline(text));
  const form = (id: string, source?: string): Marker => ({
    script: "sign_up.js",
    html: () => signUpForm({ id: `sign-up-${id}`, source, lang, texts: sign_up, renderText, mail }),
    markdown: sign_up.markdown,
  });
  const slot = (slot: Parameters<typeof slotHtml>[0]) => ({ html: () => new Html(slotHtml(slot)) });
  return {
    ...Object.fromEntries(SOURCES.map((source) => [`sign-up ${source}`, form(source, source)])),
    "sign-up embed": form("embed"),
    "sign-up again": { ...slot("form"), script: "sign_up.js" },
    "try-it": { script: "try_it.js", html: () => tryItPanel(try_it), markdown: try_it.markdown },
    "place-ask": { html: () => askForm(path, place, sign_up.email_hint) },
    ...Object.fromEntries(SLOTS.map((name) => [`place-${name}`, slot(name)])),
  };
}

/** `try_it.js` calls the sandbox and reads its texts from the attributes. Of `details` of one name, one is open. */
function tryItPanel(texts: Texts["try_it"]): Html {
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

/** The form that asks for a letter with the link. */
function askForm(path: string, texts: Texts["place"], hint: string): Html {
  return markup`<form class="place" method="post" action="${path}">
<div class="field">
<label for="place-email">${texts.ask_label}</label>
<input id="place-email" name="email" type="email" required maxlength="254" title="${hint}"
 autocomplete="email" autocapitalize="none" spellcheck="false">
</div>
<button class="button" type="submit">${texts.ask}</button>
</form>`;
}
