/**
 * The pages of a person in all languages, prepared before the first request: the page itself with slots for
 * what differs, and the answers that are the same for everybody.
 *
 * @module
 */
import { fill, type Language, type Placeholders } from "../../content/mod.ts";
import {
  type ConsentText,
  type Lang,
  SELF_SERVICE_PATHS,
  type State,
  STATES,
} from "../../waitlist/mod.ts";
import {
  fillSlots,
  type SelfServiceTexts,
  type SelfServiceView,
  type Slot,
  slotHtml,
} from "../self_service_view.ts";
import type { Forms, RenderPage } from "../render.ts";

/** Makes the answer of a page. */
export type ServePage = (forms: Forms, status?: number) => (request: Request) => Response;

/** The pages of a person in a language. */
export interface SelfServicePages {
  /** The wording above the button that confirms. */
  consent: ConsentText;
  /** Renders the page of a person, in HTML. */
  person: (view: SelfServiceView) => string;
  /** Answers a request whose token is not good. */
  noPerson: (request: Request) => Response;
  /** Answers with the page for those who have left. */
  left: (request: Request) => Response;
  /** The paths of the pages after a letter was asked for, and after leaving. */
  paths: { sent: string; left: string };
}

/** What people must be able to see and to do, whatever the text says (GDPR, articles 7, 15, 17 and 20). */
const RIGHTS: Slot[] = ["kept", "data", "leave"];
const NEEDED: Record<State, Slot[]> = {
  unconfirmed: ["confirm", ...RIGHTS],
  waiting: RIGHTS,
  invited: RIGHTS,
};

/** What the pages are made of. */
export interface SelfServicePagesOptions {
  languages: Language[];
  placeholders: Placeholders;
  render: RenderPage;
  serve: ServePage;
}

/** Makes the pages of all languages. @throws an Error that names a file and what is wrong with it */
export function createSelfServicePages(
  options: SelfServicePagesOptions,
): Record<Lang, SelfServicePages> {
  const { languages } = options;
  const of = (lang: Lang) => {
    const language = languages.find((language) => language.lang === lang);
    if (!language) throw new Error(`content/${lang}/ is missing, in which people are written to`);
    return createPages(lang, language, options);
  };
  return { en: of("en"), de: of("de") };
}

function createPages(
  lang: Lang,
  language: Language,
  options: SelfServicePagesOptions,
): SelfServicePages {
  const { languages, placeholders, render, serve } = options;
  const { person, noPerson, entry, left, sent } = language.selfService;
  if (entry.path !== SELF_SERVICE_PATHS[lang]) {
    throw new Error(
      `${entry.file}: the path must be ${SELF_SERVICE_PATHS[lang]}, to which letters lead`,
    );
  }
  const pages = new Map<State, string>(
    STATES.map((state) => [state, render(person, language, [state]).forms.html]),
  );
  for (const [state, html] of pages) {
    const missing = NEEDED[state].find((slot) => !html.includes(slotHtml(slot)));
    if (missing) {
      throw new Error(
        `${person.file}: {{place-${missing}}} is missing for people who are ${state}`,
      );
    }
  }
  const texts = language.texts.place;
  const common: SelfServiceTexts = {
    texts,
    languages: new Map(languages.map(({ lang, texts }) => [lang, texts.name])),
    locale: language.texts.locale.replace("_", "-"),
    consent: { lang, text: fill(texts.consent, placeholders) },
  };
  return {
    consent: common.consent,
    person: (view) => fillSlots(pages.get(view.record.state) ?? "", view, common),
    noPerson: serve(render(noPerson, language).forms, 404),
    left: serve(render(left, language).forms),
    paths: { sent: sent.path, left: left.path },
  };
}
