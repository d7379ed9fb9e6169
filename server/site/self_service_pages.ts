/** The pages of a person, prepared at the start, with slots for what differs from person to person. @module */
import { fill, type Html, markup, select } from "../content/mod.ts";
import {
  consentTextId,
  type Lang,
  LEAVE_PATH,
  type NewAnswers,
  SELF_SERVICE_PATHS,
  type State,
  STATES,
} from "../waitlist/mod.ts";
import { addressFault, askAgain } from "./forms.ts";
import {
  keptOf,
  type SelfServiceRest,
  type SelfServiceView,
  type Words,
  wordsOf,
} from "./self_service_kept.ts";
import {
  type Forms,
  placeholdersIn,
  type RendererOptions,
  type RenderPage,
  type Slot,
  slotHtml,
  TOKEN_SLOT,
} from "./render.ts";

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
  const { person, leaving, noPerson, entry, left, sent } = language.selfService;
  const path = SELF_SERVICE_PATHS[lang];
  if (entry.path !== path) {
    throw new Error(`${entry.file}: the path must be ${path}, to which letters lead`);
  }
  /** Makes a page about a person: what differs between states is rendered now. */
  const pageAbout = (source: typeof person, neededFor: (state: State) => Slot[]) => {
    const byState = Object.fromEntries(STATES.map((state) => {
      const { html } = render(source, language, [state]).forms;
      const missing = neededFor(state).find((slot) => !html.includes(slotHtml(slot)));
      if (!missing) return [state, html];
      throw new Error(
        `${source.file}: {{place-${missing}}} is missing for people who are ${state}`,
      );
    }));
    return (view: SelfServiceView) =>
      byState[view.record.state]!.replaceAll(TOKEN_SLOT, view.token).replace(
        /<slot name="(\w+)"><\/slot>/g,
        (_, slot: Slot) => COMPONENTS[slot](view, common).text,
      );
  };
  const leavingPage = pageAbout(leaving, () => ["sure"]);
  const common = wordsOf(lang, language, options);
  const { asked } = common;
  const { html: entryHtml } = render(entry, language).forms;
  return {
    consent: common.consent,
    person: pageAbout(person, (state) => state === "unconfirmed" ? ["confirm", ...RIGHTS] : RIGHTS),
    /** Reads the answers of a form, of which only those that the page offers count. */
    readAnswers(form: ReadonlyMap<string, string>): NewAnswers {
      const given = asked.flatMap(({ name, names }) => {
        const slug = form.get(name);
        return slug === "" || slug && names.has(slug) ? [[name, slug || null]] : [];
      });
      return Object.fromEntries(given);
    },
    /** Asks whether to leave, and says what goes, which depends on the state alone. */
    leaving: (view: Omit<SelfServiceView, keyof SelfServiceRest>) =>
      leavingPage({ ...view, waiting: [], history: [] }),
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

const COMPONENTS: Record<Slot, (view: SelfServiceView, common: Words) => Html> = {
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

  kept: keptOf,

  answers(view, common) {
    const fields = common.asked.map(({ name, names }) => {
      const given = view.record[name] ?? "";
      // An answer that came in otherwise stays unless the person chooses another one.
      const all = new Map([["", common.texts.no_answer], [given, given], ...names]);
      all.set("", common.texts.no_answer);
      return select({ name, label: common.texts.kept[name], chosen: given }, [...all]);
    });
    const { answered } = view, text = answered && common.texts[`answers_${answered}`];
    // The focus brings it into view, and lets screen readers read it.
    const told = text && markup`<p class="${answered}" tabindex="-1" autofocus>${text}</p>`;
    const content = markup`${told}${hiddenFields(view, common)}
${fields}`;
    return button("/place/answers", common.texts.answers_save, content);
  },

  data: (view, common) => button("/place/data", common.texts.data, hiddenFields(view, common)),
  leave: (view, common) => button(LEAVE_PATH, common.texts.leave, hiddenFields(view, common)),
  sure(view, common) {
    const { consent: { lang }, texts } = common;
    const fields = markup`${hiddenFields(view, common)}
<input type="hidden" name="sure" value="1">`;
    return markup`${button(LEAVE_PATH, texts.leave_sure, fields)}
<p><a href="${SELF_SERVICE_PATHS[lang]}?t=${view.token}">${texts.stay}</a></p>`;
  },
};

function button(action: string, label: string, fields: Html): Html {
  return markup`<form method="post" action="${action}">
${fields}
<button class="button plain" type="submit">${label}</button>
</form>`;
}

/** Says whose form it is, and in which language the answer is to be. */
function hiddenFields({ token }: SelfServiceView, { consent: { lang } }: Words): Html {
  return markup`<input type="hidden" name="t" value="${token}">
<input type="hidden" name="lang" value="${lang}">`;
}
