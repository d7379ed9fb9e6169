/**
 * The pages of the self-service. They are rendered at the start, with slots for the content that differs from person to
 * person. For each request, `self_service_slots.ts` makes the content of the slots. `self_service.ts` has the routes.
 * @module
 */
import { fill, type SourcePage } from "../content/mod.ts";
import {
  type AnswerChanges,
  type ConsentText,
  type Lang,
  SELF_SERVICE_PATHS,
  type State,
  STATES,
} from "../waitlist/mod.ts";
import { withRefusedAddress } from "./link_request_form.ts";
import { type Slot, slotHtml, TOKEN_SLOT } from "./markers.ts";
import type { RenderedPage } from "./page.ts";
import { placeholdersIn, type RendererOptions, type RenderPage } from "./render.ts";
import {
  createSlotWords,
  type SelfServiceView,
  type ShownDetails,
  slotContent,
} from "./self_service_slots.ts";
import { addressFault } from "./sign_up_form.ts";
import type { StoredDataWords } from "./stored_data_part.ts";

/** The pages of the self-service in one language. */
export interface SelfServicePages {
  /** The wording above the button that confirms. */
  consent: ConsentText;
  /** The HTML of the self-service page. */
  personHtml: (view: SelfServiceView) => string;
  /** The HTML of the page that asks before the person leaves. */
  leavingHtml: (view: Omit<SelfServiceView, keyof ShownDetails>) => string;
  /**
   * The HTML of the page where a person asks for the link. The page shows the refused e-mail address again, with an
   * error message.
   */
  refusedAddressHtml: (email: string) => string;
  /**
   * Reads the answers of a form. An empty field removes the answer. Answers that the page does not offer are left out.
   */
  readAnswers: (fields: ReadonlyMap<string, string>) => AnswerChanges;
  /** Answers a request whose token names nobody on the list. */
  answerNoPerson: (request: Request) => Response;
  /** Answers with the page that follows after a person has left. */
  answerLeft: (request: Request) => Response;
  /** The paths of the pages that follow after a person has asked for a letter, and after a person has left. */
  paths: { sent: string; left: string };
}

/** The functions that render and serve pages. */
interface PageFunctions {
  render: RenderPage;
  /** Fills the number of waiting people into HTML. */
  fillCount: (html: string) => string;
  serve: (page: RenderedPage, status?: number) => (request: Request) => Response;
}

/** The slots that the self-service page must have, whatever its text says (GDPR, articles 7, 15, 17 and 20). */
const SLOTS_OF_RIGHTS: Slot[] = ["kept", "data", "leave"];

/** Matches a slot in a rendered page, as `slotHtml()` writes it. The name of the slot is captured as a group. */
const ANY_SLOT = /<slot name="(\w+)"><\/slot>/g;

/** Makes the pages of all languages. @throws an Error that names a file of `content/` and its fault */
export function createSelfServicePages(
  options: RendererOptions,
  functions: PageFunctions,
): Record<Lang, SelfServicePages> {
  return { en: createPages("en", options, functions), de: createPages("de", options, functions) };
}

function createPages(
  lang: Lang,
  options: RendererOptions,
  { render, serve, fillCount }: PageFunctions,
): SelfServicePages {
  const language = options.languages.find((language) => language.lang === lang);
  if (!language) throw new Error(`content/${lang}/ is missing, in which people are written to`);
  const { person, leaving, noPerson, asking, left, sent } = language.selfService;
  const path = SELF_SERVICE_PATHS[lang];
  if (asking.path !== path) {
    throw new Error(`${asking.label}: the path must be ${path}, to which letters lead`);
  }
  const words = createSlotWords(lang, language, options);

  /** Renders a page for each state of a person. Returns the function that fills the page. */
  const createPageFiller = (page: SourcePage, requiredSlots: (state: State) => Slot[]) => {
    const htmlByState = new Map(STATES.map((state) => {
      const { html } = render(page, language, [state]).rendered;
      checkSlots(html, requiredSlots(state), { page, state });
      return [state, html] as const;
    }));
    return (view: SelfServiceView) => {
      // `htmlByState` has the HTML of every state.
      const html = fillCount(htmlByState.get(view.record.state)!);
      return html.replaceAll(TOKEN_SLOT, view.token)
        .replace(ANY_SLOT, (_, slot: Slot) => slotContent(slot, view, words));
    };
  };
  const personHtml = createPageFiller(
    person,
    (state) => state === "unconfirmed" ? ["confirm", ...SLOTS_OF_RIGHTS] : SLOTS_OF_RIGHTS,
  );
  const leavingHtml = createPageFiller(leaving, () => ["sure"]);
  const askingHtml = render(asking, language).rendered.html;
  return {
    consent: words.consent,
    personHtml,
    // The lists are empty, because the page only asks one question and shows no details of the person.
    leavingHtml: (view) => leavingHtml({ ...view, waiting: [], history: [], letterLog: [] }),
    refusedAddressHtml(email) {
      const faultText = addressFault(email, language.texts.sign_up);
      const fault = fill(faultText, placeholdersIn(language, options));
      return withRefusedAddress(fillCount(askingHtml), email, fault);
    },
    readAnswers: (fields) => readAnswers(fields, words.storedDataWords.questions),
    answerNoPerson: serve(render(noPerson, language).rendered, 404),
    answerLeft: serve(render(left, language).rendered),
    paths: { sent: sent.path, left: left.path },
  };
}

/** Throws an error that names the file of a page if the page lacks a slot for people in a state. */
function checkSlots(
  html: string,
  requiredSlots: Slot[],
  { page, state }: { page: SourcePage; state: State },
): void {
  const missingSlot = requiredSlots.find((slot) => !html.includes(slotHtml(slot)));
  if (!missingSlot) return;
  throw new Error(`${page.label}: {{place-${missingSlot}}} is missing for people who are ${state}`);
}

/** Reads the answers to some questions from the fields of a form. */
function readAnswers(
  fields: ReadonlyMap<string, string>,
  questions: StoredDataWords["questions"],
): AnswerChanges {
  const answers: AnswerChanges = {};
  for (const { name, answerNames } of questions) {
    const slug = fields.get(name);
    if (slug === "") answers[name] = null;
    else if (slug !== undefined && answerNames.has(slug)) answers[name] = slug;
  }
  return answers;
}
