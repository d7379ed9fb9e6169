/**
 * The components of the person's page that differ from person to person. The page is rendered once, with a slot in
 * the place of each component.
 *
 * @module
 */
import { Html, markup, type Texts } from "../content/mod.ts";
import { type ConsentText, consentTextId, LEAVE_PATH, type SignUpRecord } from "../waitlist/mod.ts";

/** The markers of the components, such as `{{place-kept}}`. */
export const SLOTS = ["address", "confirm", "invitation", "kept", "data", "leave"] as const;

/** A part of the person's page. */
export type Slot = typeof SLOTS[number];

/** What the page shows. */
export interface SelfServiceView {
  /** The token of the link, which the page's forms send back. */
  token: string;
  email: string;
  record: SignUpRecord;
  /** The wording that the person agreed to. */
  wording?: ConsentText | undefined;
  /** Where the invitation leads, if it is known. */
  invitationUrl?: string | undefined;
  /** Letters and events that wait to be sent. */
  waiting: { letter?: keyof Texts["place"]["letter"]; putAt: string }[];
}

/** What all pages of a language have in common. */
export interface SelfServiceTexts {
  texts: Texts["place"];
  /** The names of the languages, in the languages themselves. */
  languages: ReadonlyMap<string, string>;
  /** The locale of dates, such as `en-GB`. */
  locale: string;
  /** The wording above the button that confirms. */
  consent: ConsentText;
}

/** The slot of a component in a page. */
export const slotHtml = (slot: Slot): string => `<slot name="${slot}"></slot>`;

/** Fills the slots of a page. */
export function fillSlots(page: string, view: SelfServiceView, common: SelfServiceTexts): string {
  return page.replace(/<slot name="(\w+)"><\/slot>/g, (_, slot: Slot) => {
    return COMPONENTS[slot](view, common).text;
  });
}

const COMPONENTS: Record<Slot, (view: SelfServiceView, common: SelfServiceTexts) => Html> = {
  address: ({ email }) => markup`<p class="address">${email}</p>`,

  confirm: ({ token, email }, { texts, consent }) =>
    markup`<form class="place" method="post" action="/place/confirm">
<p class="address">${email}</p>
<p class="wording">${consent.text}</p>
<input type="hidden" name="t" value="${token}">
<input type="hidden" name="consent_text" value="${consentTextId(consent)}">
<button class="button" type="submit">${texts.confirm}</button>
</form>`,

  invitation: ({ email, record, invitationUrl }, { texts }) =>
    markup`<div class="place">
<p class="address">${email}</p>
<p class="code">${texts.invitation_code} <code>${record.invitationCode}</code></p>
${invitationUrl && markup`<a class="button" href="${invitationUrl}">${texts.invitation}</a>`}
</div>`,

  kept: (view, common) => {
    const rows = Object.entries(keptValues(view, common)).flatMap(([name, value]) => {
      const label = common.texts.kept[name as keyof Texts["place"]["kept"]];
      return value === undefined ? [] : [markup`<div><dt>${label}</dt><dd>${value}</dd></div>`];
    });
    return markup`<dl>
${rows}
</dl>`;
  },

  data: ({ token }, { texts }) => button("/place/data", token, texts.data),
  leave: ({ token }, { texts }) => button(LEAVE_PATH, token, texts.leave),
};

function button(action: string, token: string, label: string): Html {
  return markup`<form method="post" action="${action}">
<input type="hidden" name="t" value="${token}">
<button class="button plain" type="submit">${label}</button>
</form>`;
}

/** Everything that is kept, in words; what is not kept has no value. */
function keptValues(
  { email, record, wording, waiting }: SelfServiceView,
  { texts, languages, locale }: SelfServiceTexts,
): Record<keyof Texts["place"]["kept"], string | Html | undefined> {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const time = (moment: string | undefined) =>
    moment && markup`<time datetime="${moment}">${format.format(new Date(moment))} UTC</time>`;
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  const { confirmations, proof } = record;
  const items = waiting.map(({ letter = "event", putAt }) =>
    markup`${texts.letter[letter]}, ${time(putAt)}`
  );
  const lastAt = confirmations && time(confirmations.lastAt);
  const letters = new Html(
    texts.letters.replace("{count}", String(confirmations?.count)).replace("{time}", `${lastAt}`),
  );
  return {
    email,
    state: texts.states[record.state],
    createdAt: time(record.createdAt),
    consentedAt: time(record.consentedAt),
    confirmedAt: time(proof?.confirmedAt),
    wording: wording && markup`<q>${wording.text}</q>`,
    invitedAt: time(record.invitedAt),
    invitationCode: code(record.invitationCode),
    updatedAt: time(record.updatedAt),
    lang: languages.get(record.lang),
    source: record.source && texts.sources[record.source],
    role: record.role,
    building: record.building,
    confirmations: confirmations && letters,
    linkAt: time(record.linkAt),
    undeliverableAt: time(record.undeliverableAt),
    waiting: items.length > 0 ? new Html(items.join("<br>")) : undefined,
    wave: code(record.wave),
    id: code(record.id),
  };
}

/** Renders the form that asks for a letter with the link. */
export function askForm(path: string, texts: Texts["place"], hint: string): Html {
  return markup`<form class="place" method="post" action="${path}">
<div class="field">
<label for="place-email">${texts.ask_label}</label>
<input id="place-email" name="email" type="email" required maxlength="254" title="${hint}"
 autocomplete="email" autocapitalize="none" spellcheck="false">
</div>
<button class="button" type="submit">${texts.ask}</button>
</form>`;
}
