/** The pages of a person, prepared at the start, with slots for what differs from person to person. @module */
import { fill, Html, type Language, markup, type Texts } from "../content/mod.ts";
import {
  type ConsentText,
  consentTextId,
  type Lang,
  LEAVE_PATH,
  type LetterKind,
  SELF_SERVICE_PATHS,
  type SignUpRecord,
  type State,
  STATES,
} from "../waitlist/mod.ts";
import { addressFault, askAgain } from "./forms.ts";
import {
  type Forms,
  placeholdersIn,
  type RendererOptions,
  type RenderPage,
  type Slot,
  slotHtml,
  TOKEN_SLOT,
} from "./render.ts";

/** What belongs to a record and is not in it. */
export interface SelfServiceRest {
  /** The wording that the person agreed to. */
  wording?: ConsentText | undefined;
  /** Where the invitation leads, if it is known. */
  invitationUrl?: string | undefined;
  /** Letters and events that wait to be sent. */
  waiting: { letter?: LetterKind; putAt: string }[];
}

interface SelfServiceView extends SelfServiceRest {
  /** The token of the link, which the page's forms send back. */
  token: string;
  email: string;
  record: SignUpRecord;
}

/** The pages of a person in a language. */
export type SelfServicePages = ReturnType<typeof createPages>;

/** What people must be able to see and to do, whatever the text says (GDPR, articles 7, 15, 17 and 20). */
const RIGHTS: Slot[] = ["kept", "data", "leave"];

interface SelfServicePagesOptions extends RendererOptions {
  render: RenderPage;
  serve: (forms: Forms, status?: number) => (request: Request) => Response;
}

/** Makes the pages of all languages. @throws an Error that names a file and what is wrong with it */
export function createSelfServicePages(options: SelfServicePagesOptions) {
  return { en: createPages("en", options), de: createPages("de", options) };
}

function createPages(lang: Lang, options: SelfServicePagesOptions) {
  const { languages, render, serve } = options;
  const language = languages.find((language) => language.lang === lang);
  if (!language) throw new Error(`content/${lang}/ is missing, in which people are written to`);
  const { person, noPerson, entry, left, sent } = language.selfService;
  const path = SELF_SERVICE_PATHS[lang];
  if (entry.path !== path) {
    throw new Error(`${entry.file}: the path must be ${path}, to which letters lead`);
  }
  const page = (state: State) => {
    const { html } = render(person, language, [state]).forms;
    const needed: Slot[] = state === "unconfirmed" ? ["confirm", ...RIGHTS] : RIGHTS;
    const missing = needed.find((slot) => !html.includes(slotHtml(slot)));
    if (!missing) return [state, html];
    throw new Error(`${person.file}: {{place-${missing}}} is missing for people who are ${state}`);
  };
  const pages: Record<State, string> = Object.fromEntries(STATES.map(page));
  const common = commonOf(lang, language, options);
  const { html: entryHtml } = render(entry, language).forms;
  return {
    /** The wording above the button that confirms. */
    consent: common.consent,
    person: (view: SelfServiceView) =>
      pages[view.record.state].replaceAll(TOKEN_SLOT, view.token).replace(
        /<slot name="(\w+)"><\/slot>/g,
        (_, slot: Slot) => COMPONENTS[slot](view, common).text,
      ),
    /** The page without a token again, for a text that is not an address. */
    refusedAddress(email: string) {
      const fault = addressFault(email, language.texts.sign_up);
      return askAgain(entryHtml, email, fill(fault, placeholdersIn(language, options)));
    },
    /** Answers a request whose token is not good. */
    noPerson: serve(render(noPerson, language).forms, 404),
    left: serve(render(left, language).forms),
    /** The paths of the pages after a letter was asked for, and after leaving. */
    paths: { sent: sent.path, left: left.path },
  };
}

type Common = ReturnType<typeof commonOf>;

/** What all pages of a language have in common. */
function commonOf(lang: Lang, language: Language, options: RendererOptions) {
  const { locale, place } = language.texts;
  const text = fill(place.consent, placeholdersIn(language, options));
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return {
    consent: { lang, text },
    texts: place,
    /** The names of the languages, in the languages themselves. */
    languages: new Map(options.languages.map(({ lang, texts }) => [lang, texts.name])),
    times: new Intl.DateTimeFormat(locale.replace("_", "-"), format),
  };
}

/** The parts that differ from person to person. */
const COMPONENTS: Record<Slot, (view: SelfServiceView, common: Common) => Html> = {
  address: ({ email }) => markup`<p class="address">${email}</p>`,

  confirm: (view, common) =>
    markup`<form class="place" method="post" action="/place/confirm">
<p class="address">${view.email}</p>
<p class="wording">${common.consent.text}</p>
${hiddenFields(view, common)}
<input type="hidden" name="consent_text" value="${consentTextId(common.consent)}">
<button class="button" type="submit">${common.texts.confirm}</button>
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

  data: (view, common) => button("/place/data", common.texts.data, hiddenFields(view, common)),
  leave: (view, common) => button(LEAVE_PATH, common.texts.leave, hiddenFields(view, common)),
};

function button(action: string, label: string, fields: Html): Html {
  return markup`<form method="post" action="${action}">
${fields}
<button class="button plain" type="submit">${label}</button>
</form>`;
}

/** Says whose form it is, and in which language the answer is to be. */
function hiddenFields({ token }: SelfServiceView, { consent: { lang } }: Common): Html {
  return markup`<input type="hidden" name="t" value="${token}">
<input type="hidden" name="lang" value="${lang}">`;
}

/** Everything that is kept, in words; what is not kept has no value. */
function keptValues(
  { email, record, wording, waiting }: SelfServiceView,
  { texts, languages, times }: Common,
): Record<keyof Texts["place"]["kept"], string | Html | undefined> {
  const time = (moment: string | undefined) =>
    moment && markup`<time datetime="${moment}">${times.format(new Date(moment))} UTC</time>`;
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  const { confirmations, proof, letters: lettersAt } = record;
  const items = waiting.map(({ letter, putAt }) =>
    markup`${texts.letter[letter ?? "event"]}, ${time(putAt)}`
  );
  const letters = confirmations && new Html(
    texts.letters.replace("{count}", String(confirmations.count))
      .replace("{time}", `${time(confirmations.lastAt)}`),
  );
  return {
    email,
    state: texts.states[record.state],
    createdAt: time(record.createdAt),
    consentedAt: time(record.consentedAt),
    confirmedAt: time(proof?.confirmedAt),
    wording: wording && markup`<q lang="${wording.lang}">${wording.text}</q>`,
    requestedAt: time(proof?.requestedAt),
    invitedAt: time(record.invitedAt),
    invitationCode: code(record.invitationCode),
    expiresAt: time(record.expiresAt),
    acceptedAt: time(record.acceptedAt),
    reference: code(record.reference),
    updatedAt: time(record.updatedAt),
    lang: languages.get(record.lang),
    source: record.source && texts.sources[record.source],
    role: record.role,
    building: record.building,
    confirmations: letters,
    takenAt: time(confirmations?.takenAt),
    letters: lettersAt && new Html(lettersAt.map(time).join("<br>")),
    linkAt: time(record.linkAt),
    undeliverableAt: time(record.undeliverableAt),
    complainedAt: time(record.complainedAt),
    waiting: items.length > 0 ? new Html(items.join("<br>")) : undefined,
    wave: code(record.wave),
    id: code(record.id),
  };
}
