/** The person's page, for whoever has its token. GET changes nothing, as mail scanners follow links. @module */
import { Hono } from "@hono/hono";
import { emailSchema } from "../../shared/email_schema.ts";
import {
  answerText,
  type BodyFailure,
  clientAddress,
  type ConnectionInfo,
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
import type { SelfServiceRest } from "./self_service_kept.ts";
import type { SelfServicePages } from "./self_service_pages.ts";
import { languageOf, SELF_SERVICE_HEADERS } from "./serve.ts";

/** What a call reads and changes of a person; the functions are those of `store/people/self_service.ts`. */
interface SelfServiceCalls {
  find: (
    token: string,
  ) => Promise<{ owner: SelfServiceOwner; record: SignUpRecord | undefined } | undefined>;
  readRest: (email: string, record: SignUpRecord) => Promise<SelfServiceRest>;
  confirm: (owner: SelfServiceOwner, wording: ConsentText) => Promise<void>;
  leave: (owner: SelfServiceOwner) => Promise<void>;
  /** Gives `full` where nothing was changed, as there is no room for another answer. */
  answer: (owner: SelfServiceOwner, answers: NewAnswers) => Promise<"full" | undefined>;
}

interface SelfServiceOptions {
  pages: Record<Lang, SelfServicePages>;
  /** The security headers of every page. */
  headers: Record<string, string>;
  trustedProxyHops: number;
  /** Does the work of a call, which has one deadline for all that it asks of the store. */
  inCall: <T>(work: (calls: SelfServiceCalls) => Promise<T>) => Promise<T>;
  /** Returns at once; does nothing where no letters are sent. */
  askForLink: (email: string, address: ClientAddress) => void;
}

/** The methods of paths that show a page and take a form. */
const OF_PAGES = ["GET", "HEAD", "POST"];

/** The end of the page's address after answers were saved, so that the page says so. */
const SAVED = "&saved=1";

export function createSelfServiceRoutes(
  { pages, headers: security, trustedProxyHops, inCall, askForLink }: SelfServiceOptions,
): Hono<{ Bindings: ConnectionInfo }> {
  const headers = { ...security, ...SELF_SERVICE_HEADERS };
  const addressOf = clientAddress(trustedProxyHops);

  /** Gives the pages, too: those of the language that the request names, or else of the record's. */
  async function findPerson({ find }: SelfServiceCalls, token: string, lang?: Lang) {
    const { owner, record } = await find(token) ?? {};
    return owner && record && { ...owner, token, record, pages: pages[lang ?? record.lang] };
  }

  type KnownPerson = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

  const show = (request: Request, token: string, lang?: Lang): Promise<Response> =>
    inCall(async (calls) => {
      const person = await findPerson(calls, token, lang);
      if (!person) return pages[lang ?? languageOf(request)].noPerson(request);
      const answered = request.url.endsWith(SAVED) ? "saved" : undefined;
      return await showPerson(calls, request, { person, answered });
    });

  async function showPerson(
    { readRest }: SelfServiceCalls,
    request: Request,
    { person, answered }: { person: KnownPerson; answered: "saved" | "full" | undefined },
  ) {
    const rest = await readRest(person.email, person.record);
    const html = person.pages.person({ ...person, ...rest, answered });
    return showHtml(request, html, answered === "full" ? 409 : 200);
  }

  const showHtml = (request: Request, html: string, status = 200) =>
    answerText(request, html, {
      status,
      headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
    });

  const seeOther = (location: string) =>
    new Response(null, { status: 303, headers: { ...headers, Location: location } });

  const backTo = ({ token, pages: { consent } }: KnownPerson, more = "") =>
    seeOther(`${SELF_SERVICE_PATHS[consent.lang]}?t=${token}${more}`);

  const refuse = (failure: BodyFailure) => {
    const { status, json, headers: further } = errorAnswer(
      ...failure.failure === "not_utf8"
        ? [400, "invalid_request", "The body is not valid UTF-8; send it as UTF-8."] as const
        : describeFailure(failure),
    );
    const all = { ...headers, ...further, "Content-Type": "application/json" };
    return new Response(json, { status, headers: all });
  };

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
    const lang = LANGS.find((lang) => lang === values.get("lang"));
    return await inCall(async (calls) => {
      const person = await findPerson(calls, values.get("t") ?? "", lang);
      if (person) return await act(calls, person, values, request);
      return pages[lang ?? languageOf(request)].noPerson(request);
    });
  };

  const leaveByForm = answerForm(async ({ leave }, person, form, request) => {
    if (form.get("sure") !== "1") return showHtml(request, person.pages.leaving(person));
    await leave(person);
    return seeOther(person.pages.paths.left);
  });

  /** Answers a mail program (RFC 8058), also for somebody who has left. */
  async function leaveByOneClick(request: Request, token: string): Promise<Response> {
    const isOneClick = await readOneClick(request);
    if (isOneClick !== true) return refuse(isOneClick);
    return await inCall(async ({ find, leave }) => {
      const found = await find(token);
      if (!found) return pages[languageOf(request)].noPerson(request);
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
    // The answer is the same, so that it does not tell whether the address is on the list.
    askForLink(email.toLowerCase(), addressOf(request, info));
    return seeOther(pages[lang].paths.sent);
  }

  const routes = new Hono<{ Bindings: ConnectionInfo }>();
  for (const lang of LANGS) {
    routes.all(SELF_SERVICE_PATHS[lang], ({ req: { raw }, env }, next) => {
      if (raw.method === "POST") return takeAddress(raw, env, lang);
      if (!isRead(raw)) return Promise.resolve(methodNotAllowed(OF_PAGES));
      const token = tokenIn(raw);
      // Without a token, the site shows its page.
      return token ? show(raw, token, lang) : next();
    });
  }
  routes.all(LEAVE_PATH, ({ req: { raw } }) => {
    const token = tokenIn(raw);
    if (raw.method === "POST") return token ? leaveByOneClick(raw, token) : leaveByForm(raw);
    return isRead(raw) ? show(raw, token) : methodNotAllowed(OF_PAGES);
  });
  const forms = {
    "/place/confirm": answerForm(async ({ confirm }, person, form) => {
      const { consent } = person.pages;
      const shown = form.get("consent_text") ?? consentTextId(consent);
      // Another wording was shown, by an earlier version of the text: the page shows the new one.
      if (shown === consentTextId(consent)) await confirm(person, consent);
      return backTo(person);
    }),
    "/place/answers": answerForm(async (calls, person, form, request) => {
      const answered = await calls.answer(person, person.pages.readAnswers(form));
      if (!answered) return backTo(person, SAVED);
      return await showPerson(calls, request, { person, answered });
    }),
    "/place/data": answerForm(async ({ readRest }, person) => {
      // `waiting` tells what the ids in the outbox stand for.
      const { email, record: { outbox: _, recount: _recount, ...record } } = person;
      const data = { email, ...record, ...await readRest(email, person.record) };
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

/** Whether a body asks to leave with one click (RFC 8058 §3.2), in either kind of form that mail programs send. */
async function readOneClick(request: Request): Promise<true | BodyFailure> {
  const [name, value] = ["List-Unsubscribe", "One-Click"];
  const type = request.headers.get("content-type") ?? "";
  let given: unknown;
  if (mediaType(type) === MULTIPART) {
    const read = await readText(request);
    if ("failure" in read) return read;
    // An empty line stands before the value of each field (RFC 7578 §4).
    if (hasTooManyFields(read.text, "\r\n\r\n")) return TOO_MANY_FIELDS;
    const form = new Response(read.text, { headers: { "Content-Type": type } }).formData();
    given = await form.then((form) => form.get(name), () => undefined);
  } else {
    const read = await readForm(request);
    if ("failure" in read) return read;
    given = read.form.values.get(name);
  }
  const message = `To leave the list, send the form field ${name}=${value}.`;
  return given === value || { failure: "invalid_request", message };
}

/** The token in the query; empty where there is none. */
const tokenIn = ({ url }: Request): string => new URLSearchParams(rawQuery(url)).get("t") ?? "";
