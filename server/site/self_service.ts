/**
 * The routes of the self-service page and of its forms. GET changes nothing, because programs that scan mail follow the
 * links in letters. `self_service_pages.ts` writes the pages, `self_service_responses.ts` makes the responses, and
 * `store/people/self_service.ts` reads and changes the person's data. @module
 */
import { Hono } from "@hono/hono";
import { emailSchema } from "../../shared/email_schema.ts";
import {
  type ConnectionInfo,
  createClientAddressFinder,
  isGetOrHead,
  methodNotAllowed,
  rawQuery,
  readForm,
} from "../http/mod.ts";
import type { ClientAddress } from "../limits/mod.ts";
import {
  type AnswerChanges,
  type ConsentText,
  consentTextId,
  type Lang,
  LANGS,
  LEAVE_PATH,
  SELF_SERVICE_PATHS,
  type SelfServiceOwner,
  type SignUpRecord,
} from "../waitlist/mod.ts";
import { findOneClickFault } from "./one_click.ts";
import type { SelfServicePages } from "./self_service_pages.ts";
import { createResponses, type KnownPerson, type Responses } from "./self_service_responses.ts";
import type { ShownDetails } from "./self_service_slots.ts";
import { languageOf } from "./serve.ts";

/** The functions by which a request reads and changes a person's data. `store/people/self_service.ts` makes them. */
interface SelfServiceCalls {
  /**
   * Finds the person whom a token names; `undefined` for a token that is not valid. `record` is `undefined` for a
   * person who is not on the list any more.
   */
  find: (
    token: string,
  ) => Promise<{ owner: SelfServiceOwner; record: SignUpRecord | undefined } | undefined>;
  /** Reads the data of a person that the page shows besides the record. */
  readDetails: (email: string, record: SignUpRecord) => Promise<ShownDetails>;
  confirm: (owner: SelfServiceOwner, wording: ConsentText) => Promise<void>;
  /** Gives the person a referral code, unless the person has a code already or referrals are off. */
  addReferralCode: (owner: SelfServiceOwner) => Promise<void>;
  leave: (owner: SelfServiceOwner) => Promise<void>;
  /** Saves the person's answers. Returns `full`, and saves nothing, if there is no room for another answer. */
  saveAnswers: (owner: SelfServiceOwner, answers: AnswerChanges) => Promise<"full" | undefined>;
}

interface SelfServiceOptions {
  pages: Record<Lang, SelfServicePages>;
  /** The security headers of every answer. */
  headers: Record<string, string>;
  trustedProxyHops: number;
  /** Does the work of one request. All calls of the store by this work share one deadline. */
  inCall: <T>(work: (calls: SelfServiceCalls) => Promise<T>) => Promise<T>;
  /**
   * Sends the link to the self-service page to an e-mail address, if the address is on the list. Returns at once, so
   * that the time of the answer does not tell whether the address is on the list.
   */
  askForLink: (email: string, client: ClientAddress) => void;
}

type SelfServiceRoutes = Hono<{ Bindings: ConnectionInfo }>;

/** The methods of a path that shows a page and accepts a form. */
const PAGE_METHODS = ["GET", "HEAD", "POST"];

/** The ending of the page's URL that makes the page say that answers were saved. */
const SAVED = "&saved=1";

/** Makes the routes of the self-service page and of its forms. */
export function createSelfServiceRoutes(options: SelfServiceOptions): SelfServiceRoutes {
  const responses = createResponses(options);
  const showPage = createPersonPage(options, responses);
  const acceptAddress = createAddressForm(options, responses);
  const leaveByOneClick = createOneClick(options, responses);
  const answerForm = createFormHandler(options, responses);

  const routes: SelfServiceRoutes = new Hono();
  for (const lang of LANGS) {
    routes.all(SELF_SERVICE_PATHS[lang], ({ req: { raw }, env }, next) => {
      if (raw.method === "POST") return acceptAddress(raw, env, lang);
      if (!isGetOrHead(raw)) return Promise.resolve(methodNotAllowed(PAGE_METHODS));
      const token = tokenIn(raw);
      // Without a token, the site shows the page where people ask for a link.
      return token ? showPage(raw, token, lang) : next();
    });
  }
  routes.all(LEAVE_PATH, ({ req: { raw } }) => {
    const token = tokenIn(raw);
    if (raw.method === "POST") {
      return token ? leaveByOneClick(raw, token) : answerForm(raw, leaveAfterQuestion);
    }
    return isGetOrHead(raw) ? showPage(raw, token) : methodNotAllowed(PAGE_METHODS);
  });
  for (const [path, act] of Object.entries(FORMS)) {
    routes.all(path, ({ req: { raw } }) => {
      return raw.method === "POST" ? answerForm(raw, act) : methodNotAllowed(["POST"]);
    });
  }
  return routes;
}

/** Returns the token in the query; an empty text if the query has no token. */
const tokenIn = ({ url }: Request): string => new URLSearchParams(rawQuery(url)).get("t") ?? "";

/**
 * Finds the person of a token, with the pages in the language of the request or, if the request names no language, in
 * the language of the record.
 */
async function findPerson(
  { find }: SelfServiceCalls,
  { token, lang, pages }: {
    token: string;
    lang: Lang | undefined;
    pages: SelfServiceOptions["pages"];
  },
): Promise<KnownPerson | undefined> {
  const { owner, record } = await find(token) ?? {};
  return owner && record && { ...owner, token, record, pages: pages[lang ?? record.lang] };
}

/**
 * Makes the function that shows the self-service page of the person whom a token names. If the token names nobody on
 * the list, the function shows another page, which says so.
 */
function createPersonPage(
  { pages, inCall }: Pick<SelfServiceOptions, "pages" | "inCall">,
  responses: Responses,
): (request: Request, token: string, lang?: Lang) => Promise<Response> {
  return (request, token, lang) =>
    inCall(async (calls) => {
      const person = await findPerson(calls, { token, lang, pages });
      if (!person) return responses.noPersonPage(request, lang);
      const answersOutcome = request.url.endsWith(SAVED) ? "saved" : undefined;
      return await responses.personPage(calls, request, { person, answersOutcome });
    });
}

/**
 * Makes the function that accepts the form in which a person asks for the link to the self-service page. The service
 * sends the link to the e-mail address in the form, if the address is on the list.
 */
function createAddressForm(
  { pages, trustedProxyHops, askForLink }: Pick<
    SelfServiceOptions,
    "pages" | "trustedProxyHops" | "askForLink"
  >,
  responses: Responses,
): (request: Request, info: ConnectionInfo, lang: Lang) => Promise<Response> {
  const addressOf = createClientAddressFinder(trustedProxyHops);
  return async (request, info, lang) => {
    const read = await readForm(request);
    if ("failure" in read) return responses.refusal(read);
    const email = read.form.values.get("email") ?? "";
    if (!emailSchema.safeParse(email).success) {
      return responses.html(request, pages[lang].refusedAddressHtml(email), 422);
    }
    // The answer is the same for every valid address and does not wait for the letter. So the answer does not tell
    // whether the address is on the list.
    askForLink(email.toLowerCase(), addressOf(request, info));
    return responses.seeOther(pages[lang].paths.sent);
  };
}

/**
 * Makes the function that answers a mail program that asks to take a person off the list (RFC 8058). If the person has
 * left already, the answer is the same page as for a person who leaves now.
 */
function createOneClick(
  { pages, inCall }: Pick<SelfServiceOptions, "pages" | "inCall">,
  responses: Responses,
): (request: Request, token: string) => Promise<Response> {
  return async (request, token) => {
    const fault = await findOneClickFault(request);
    if (fault) return responses.refusal(fault);
    return await inCall(async ({ find, leave }) => {
      const { owner, record } = await find(token) ?? {};
      if (!owner) return responses.noPersonPage(request);
      if (record) await leave(owner);
      return pages[record?.lang ?? languageOf(request)].answerLeft(request);
    });
  };
}

/** A form of the self-service page, as a person has sent it. */
interface SentForm {
  calls: SelfServiceCalls;
  person: KnownPerson;
  fields: ReadonlyMap<string, string>;
  request: Request;
  responses: Responses;
}

/** Acts on a sent form, and answers the request. */
type ActOnForm = (form: SentForm) => Promise<Response>;

/**
 * Makes the function that reads a form, finds the person whom the token in the form names, and lets `act` act on the
 * form.
 */
function createFormHandler(
  { pages, inCall }: Pick<SelfServiceOptions, "pages" | "inCall">,
  responses: Responses,
): (request: Request, act: ActOnForm) => Promise<Response> {
  return async (request, act) => {
    const read = await readForm(request);
    if ("failure" in read) return responses.refusal(read);
    const fields = read.form.values;
    const lang = LANGS.find((known) => known === fields.get("lang"));
    return await inCall(async (calls) => {
      const person = await findPerson(calls, { token: fields.get("t") ?? "", lang, pages });
      if (!person) return responses.noPersonPage(request, lang);
      return await act({ calls, person, fields, request, responses });
    });
  };
}

/**
 * The functions that act on the forms of the self-service page, by the path of the form. The form by which a person
 * leaves the list is not among these forms.
 */
const FORMS: Record<string, ActOnForm> = {
  "/place/confirm": confirmConsent,
  "/place/refer": giveReferralCode,
  "/place/answers": saveAnswers,
  "/place/data": downloadData,
};

/** Takes the person off the list if the form has the field `sure`. Otherwise shows the page that asks once more. */
async function leaveAfterQuestion(
  { calls, person, fields, request, responses }: SentForm,
): Promise<Response> {
  if (fields.get("sure") !== "1") return responses.html(request, person.pages.leavingHtml(person));
  await calls.leave(person);
  return responses.seeOther(person.pages.paths.left);
}

async function confirmConsent({ calls, person, fields, responses }: SentForm): Promise<Response> {
  const { consent } = person.pages;
  const shownWording = fields.get("consent_text") ?? consentTextId(consent);
  // The consent is stored only if the person has seen the present wording. Otherwise, the page shows the present
  // wording next, so that the person can agree to this wording.
  if (shownWording === consentTextId(consent)) await calls.confirm(person, consent);
  return responses.backToPerson(person);
}

async function giveReferralCode({ calls, person, responses }: SentForm): Promise<Response> {
  await calls.addReferralCode(person);
  return responses.backToPerson(person);
}

async function saveAnswers(
  { calls, person, fields, request, responses }: SentForm,
): Promise<Response> {
  const refusal = await calls.saveAnswers(person, person.pages.readAnswers(fields));
  if (!refusal) return responses.backToPerson(person, SAVED);
  return await responses.personPage(calls, request, { person, answersOutcome: refusal });
}

async function downloadData({ calls, person, responses }: SentForm): Promise<Response> {
  const { email, record } = person;
  const details = await calls.readDetails(email, record);
  return responses.download({ email, ...downloadedMembers(record), ...details });
}

/**
 * Returns the members of a record that the download of a person's data contains. The ids in `outbox` are left out,
 * because the download lists the waiting letters and events in `waiting`. `referrerId` and `pendingReferral` are left
 * out, because they name another person; the download has `referredBy` in their place. `imported` is given without the
 * name of the operator. The other members that are left out serve only the counters.
 */
function downloadedMembers(record: SignUpRecord): Partial<SignUpRecord> {
  const {
    outbox: _outbox,
    referrerId: _referrer,
    pendingReferral: _pending,
    recount: _recount,
    countedAsOther: _counted,
    imported,
    ...shown
  } = record;
  if (!imported) return shown;
  const { operator: _operator, ...importWithoutOperator } = imported;
  return { ...shown, imported: importWithoutOperator };
}
