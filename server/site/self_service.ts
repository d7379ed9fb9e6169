/**
 * The routes of the self-service page and of its forms. GET changes nothing, because scanners of mail follow links.
 * `self_service_pages.ts` writes the pages, and `store/people/self_service.ts` reads and changes the person's data.
 * @module
 */
import { Hono } from "@hono/hono";
import { emailSchema } from "../../shared/email_schema.ts";
import {
  answerText,
  type BodyFailure,
  type ConnectionInfo,
  createClientAddressFinder,
  describeFailure,
  errorAnswer,
  hasTooManyFields,
  isRead,
  mediaType,
  methodNotAllowed,
  MULTIPART,
  rawQuery,
  readForm,
  readText,
  TOO_MANY_FIELDS,
} from "../http/mod.ts";
import type { ClientAddress } from "../limits/mod.ts";
import {
  type ConsentText,
  consentTextId,
  type Lang,
  LANGS,
  LEAVE_PATH,
  type NewAnswers,
  SELF_SERVICE_PATHS,
  type SelfServiceOwner,
  type SignUpRecord,
} from "../waitlist/mod.ts";
import type { SelfServicePages, ShownDetails } from "./self_service_pages.ts";
import { languageOf, SELF_SERVICE_HEADERS } from "./serve.ts";

/** What a request reads and changes of a person. `store/people/self_service.ts` has the functions. */
interface SelfServiceCalls {
  /**
   * Finds the person whom a token names; `undefined` for a token that is not valid. `record` is `undefined` for a
   * person who is not on the list any more.
   */
  find: (
    token: string,
  ) => Promise<{ owner: SelfServiceOwner; record: SignUpRecord | undefined } | undefined>;
  /** Reads what the page shows of a person besides the record. */
  readDetails: (email: string, record: SignUpRecord) => Promise<ShownDetails>;
  confirm: (owner: SelfServiceOwner, wording: ConsentText) => Promise<void>;
  /** Gives the person a referral code, unless the person has one. */
  recommend: (owner: SelfServiceOwner) => Promise<void>;
  leave: (owner: SelfServiceOwner) => Promise<void>;
  /** Saves answers. Returns `full` if it has changed nothing because there is no room for another answer. */
  answer: (owner: SelfServiceOwner, answers: NewAnswers) => Promise<"full" | undefined>;
}

interface SelfServiceOptions {
  pages: Record<Lang, SelfServicePages>;
  /** The security headers of every page. */
  headers: Record<string, string>;
  trustedProxyHops: number;
  /** Does the work of one request. All its calls of the store share one deadline. */
  inCall: <T>(work: (calls: SelfServiceCalls) => Promise<T>) => Promise<T>;
  /**
   * Sends the link to the self-service page to an e-mail address that is on the list. Returns at once, so that the time
   * of the answer does not tell whether the address is on the list.
   */
  askForLink: (email: string, address: ClientAddress) => void;
}

/** The methods of a path that shows a page and accepts a form. */
const PAGE_METHODS = ["GET", "HEAD", "POST"];

/** The end of the page's URL after answers were saved. With this end, the page says that the answers were saved. */
const SAVED = "&saved=1";

/** The form field and its value by which a mail program asks to take a person off the list (RFC 8058 §3.1). */
const ONE_CLICK_FIELD = "List-Unsubscribe";
const ONE_CLICK_VALUE = "One-Click";

/** A person on the list, with the pages in the person's language. */
interface KnownPerson extends SelfServiceOwner {
  token: string;
  record: SignUpRecord;
  pages: SelfServicePages;
}

/** Makes the routes of the self-service page. */
export function createSelfServiceRoutes(
  { pages, headers: security, trustedProxyHops, inCall, askForLink }: SelfServiceOptions,
): Hono<{ Bindings: ConnectionInfo }> {
  const headers = { ...security, ...SELF_SERVICE_HEADERS };
  const addressOf = createClientAddressFinder(trustedProxyHops);

  /**
   * Finds the person of a token, with the pages in the language of the request or, if the request names none, in the
   * language of the record.
   */
  async function findPerson(
    { find }: SelfServiceCalls,
    token: string,
    lang?: Lang,
  ): Promise<KnownPerson | undefined> {
    const { owner, record } = await find(token) ?? {};
    return owner && record && { ...owner, token, record, pages: pages[lang ?? record.lang] };
  }

  const show = (request: Request, token: string, lang?: Lang): Promise<Response> =>
    inCall(async (calls) => {
      const person = await findPerson(calls, token, lang);
      if (!person) return showNoPerson(request, lang);
      const answered = request.url.endsWith(SAVED) ? "saved" : undefined;
      return await showPerson(calls, request, { person, answered });
    });

  /** @param options.answered whether answers were saved, or there was no room for them; absent without answers */
  async function showPerson(
    { readDetails }: SelfServiceCalls,
    request: Request,
    { person, answered }: { person: KnownPerson; answered: "saved" | "full" | undefined },
  ) {
    const details = await readDetails(person.email, person.record);
    const html = person.pages.person({ ...person, ...details, answered });
    return showHtml(request, html, answered === "full" ? 409 : 200);
  }

  const showNoPerson = (request: Request, lang = languageOf(request)) =>
    pages[lang].noPerson(request);

  const showHtml = (request: Request, html: string, status = 200) =>
    answerText(request, html, {
      status,
      headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
    });

  const seeOther = (location: string) =>
    new Response(null, { status: 303, headers: { ...headers, Location: location } });

  /** Leads back to the page of a person. @param ending what stands behind the token in the URL */
  const backTo = ({ token, pages: { consent } }: KnownPerson, ending = "") =>
    seeOther(`${SELF_SERVICE_PATHS[consent.lang]}?t=${token}${ending}`);

  const refuse = (failure: BodyFailure) => {
    const { status, json, headers: headersOfFailure } = errorAnswer(
      ...failure.failure === "not_utf8"
        ? [400, "invalid_request", "The body is not valid UTF-8; send it as UTF-8."] as const
        : describeFailure(failure),
    );
    return new Response(json, {
      status,
      headers: { ...headers, ...headersOfFailure, "Content-Type": "application/json" },
    });
  };

  /**
   * Makes the function that answers a form: it reads the form, finds the person of the form's token, and lets `act`
   * change and answer.
   */
  const answerForm = (
    act: (
      calls: SelfServiceCalls,
      person: KnownPerson,
      form: Map<string, string>,
      request: Request,
    ) => Promise<Response>,
  ) =>
  async (request: Request): Promise<Response> => {
    const read = await readForm(request);
    if ("failure" in read) return refuse(read);
    const { values } = read.form;
    const lang = LANGS.find((each) => each === values.get("lang"));
    return await inCall(async (calls) => {
      const person = await findPerson(calls, values.get("t") ?? "", lang);
      return person ? await act(calls, person, values, request) : showNoPerson(request, lang);
    });
  };

  const leaveByForm = answerForm(async ({ leave }, person, form, request) => {
    if (form.get("sure") !== "1") return showHtml(request, person.pages.leaving(person));
    await leave(person);
    return seeOther(person.pages.paths.left);
  });

  /** Answers a mail program that asks to take a person off the list (RFC 8058), also if the person has left already. */
  async function leaveByOneClick(request: Request, token: string): Promise<Response> {
    const fault = await findOneClickFault(request);
    if (fault) return refuse(fault);
    return await inCall(async ({ find, leave }) => {
      const found = await find(token);
      if (!found) return showNoPerson(request);
      if (found.record) await leave(found.owner);
      return pages[found.record?.lang ?? languageOf(request)].left(request);
    });
  }

  async function takeAddress(request: Request, info: ConnectionInfo, lang: Lang) {
    const read = await readForm(request);
    if ("failure" in read) return refuse(read);
    const email = read.form.values.get("email") ?? "";
    if (!emailSchema.safeParse(email).success) {
      return showHtml(request, pages[lang].refusedAddress(email), 422);
    }
    // The answer is the same for every address and does not wait for the letter, so that it does not tell whether the
    // address is on the list.
    askForLink(email.toLowerCase(), addressOf(request, info));
    return seeOther(pages[lang].paths.sent);
  }

  const routes = new Hono<{ Bindings: ConnectionInfo }>();
  for (const lang of LANGS) {
    routes.all(SELF_SERVICE_PATHS[lang], ({ req: { raw }, env }, next) => {
      if (raw.method === "POST") return takeAddress(raw, env, lang);
      if (!isRead(raw)) return Promise.resolve(methodNotAllowed(PAGE_METHODS));
      const token = tokenIn(raw);
      // Without a token, the site shows the page where people ask for a link.
      return token ? show(raw, token, lang) : next();
    });
  }
  routes.all(LEAVE_PATH, ({ req: { raw } }) => {
    const token = tokenIn(raw);
    if (raw.method === "POST") return token ? leaveByOneClick(raw, token) : leaveByForm(raw);
    return isRead(raw) ? show(raw, token) : methodNotAllowed(PAGE_METHODS);
  });
  const forms = {
    "/place/confirm": answerForm(async ({ confirm }, person, form) => {
      const { consent } = person.pages;
      const shown = form.get("consent_text") ?? consentTextId(consent);
      // If the person has seen an earlier wording, the page shows the new wording, so that the person can agree to it.
      if (shown === consentTextId(consent)) await confirm(person, consent);
      return backTo(person);
    }),
    "/place/refer": answerForm(async ({ recommend }, person) => {
      await recommend(person);
      return backTo(person);
    }),
    "/place/answers": answerForm(async (calls, person, form, request) => {
      const answered = await calls.answer(person, person.pages.readAnswers(form));
      if (!answered) return backTo(person, SAVED);
      return await showPerson(calls, request, { person, answered });
    }),
    "/place/data": answerForm(async ({ readDetails }, { email, record }) => {
      const data = { email, ...shownMembers(record), ...await readDetails(email, record) };
      return new Response(`${JSON.stringify(data, null, 2)}\n`, {
        headers: {
          ...headers,
          "Content-Type": "application/json",
          "Content-Disposition": 'attachment; filename="waitlist-data.json"',
        },
      });
    }),
  };
  for (const [path, answer] of Object.entries(forms)) {
    routes.all(path, ({ req: { raw } }) => {
      return raw.method === "POST" ? answer(raw) : methodNotAllowed(["POST"]);
    });
  }
  return routes;
}

/**
 * Gives the members of a record that the download of a person's data has. The ids in `outbox` are left out, because
 * `waiting` describes these letters and events. `referrerId` and `pendingReferral` are left out, because they name
 * another person; `referredBy` takes their place. The other members that are left out serve only the counters.
 */
function shownMembers(record: SignUpRecord): Partial<SignUpRecord> {
  const {
    outbox: _outbox,
    referrerId: _referrer,
    pendingReferral: _pending,
    recount: _recount,
    countedAsOther: _counted,
    ...shown
  } = record;
  return shown;
}

/**
 * Checks whether a body asks to leave the list (RFC 8058 §3.2). Returns `undefined` if it does, and otherwise the
 * fault. Mail programs send the form as `multipart/form-data` or URL-encoded.
 */
async function findOneClickFault(request: Request): Promise<BodyFailure | undefined> {
  const type = request.headers.get("content-type") ?? "";
  /** The value of the field. */
  let value: unknown;
  if (mediaType(type) === MULTIPART) {
    const read = await readText(request);
    if ("failure" in read) return read;
    // The number of empty lines limits the number of fields, because the value of each field follows an empty line (RFC
    // 7578 §4).
    if (hasTooManyFields(read.text, "\r\n\r\n")) return TOO_MANY_FIELDS;
    const form = new Response(read.text, { headers: { "Content-Type": type } }).formData();
    value = await form.then((form) => form.get(ONE_CLICK_FIELD), () => undefined);
  } else {
    const read = await readForm(request);
    if ("failure" in read) return read;
    value = read.form.values.get(ONE_CLICK_FIELD);
  }
  if (value === ONE_CLICK_VALUE) return undefined;
  const message = `To leave the list, send the form field ${ONE_CLICK_FIELD}=${ONE_CLICK_VALUE}.`;
  return { failure: "invalid_request", message };
}

/** Returns the token in the query; empty if there is none. */
const tokenIn = ({ url }: Request): string => new URLSearchParams(rawQuery(url)).get("t") ?? "";
