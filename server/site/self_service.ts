/**
 * The person's page: what is kept of a person, and what the person can do about it, without an account. Whoever
 * has the token of the link is that person. GET shows and changes nothing, as mail scanners follow links.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { emailSchema } from "../../shared/email_schema.ts";
import {
  type BodyFailure,
  chooseLanguage,
  type clientAddress,
  type ConnectionInfo,
  methodNotAllowed,
  rawQuery,
  readForm,
} from "../http/mod.ts";
import type { ClientAddress } from "../limits/mod.ts";
import {
  type ConsentText,
  consentTextId,
  type Lang,
  LEAVE_PATH,
  SELF_SERVICE_PATHS,
  type SelfServiceOwner,
  type SignUpRecord,
} from "../waitlist/mod.ts";
import { describeRefusal, readOneClick } from "./self_service_forms.ts";
import type { SelfServicePages, SelfServiceView } from "./self_service_pages.ts";

/** What the pages need of the store; see `store/people/self_service.ts`. */
export interface SelfServiceFunctions {
  find: (
    token: string,
  ) => Promise<{ owner: SelfServiceOwner; record: SignUpRecord | undefined } | undefined>;
  readRest: (
    record: SignUpRecord,
  ) => Promise<Pick<SelfServiceView, "waiting" | "wording" | "invitationUrl">>;
  confirm: (owner: SelfServiceOwner, wording: ConsentText) => Promise<void>;
  leave: (owner: SelfServiceOwner) => Promise<void>;
  /** Returns at once; does nothing where no letters are sent. */
  askForLink: (email: string, address: ClientAddress) => void;
  /** Finds the address of the client that sent a request. */
  addressOf: ReturnType<typeof clientAddress>;
}

/** A person whose token is good. */
interface KnownPerson extends SelfServiceOwner {
  token: string;
  record: SignUpRecord;
  /** The pages in the person's language. */
  pages: SelfServicePages;
}

/** Headers of every answer: nothing may keep it, find it or tell others its address. */
export const SELF_SERVICE_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/** Makes the routes of the person's page. @param security the security headers of all pages */
export function createSelfServiceRoutes(
  pages: Record<Lang, SelfServicePages>,
  { security, ...functions }: SelfServiceFunctions & { security: Record<string, string> },
): Hono<{ Bindings: ConnectionInfo }> {
  const headers = { ...security, ...SELF_SERVICE_HEADERS };
  const { find, readRest, confirm, leave, askForLink, addressOf } = functions;

  async function findPerson(token: string): Promise<KnownPerson | undefined> {
    const { owner, record } = await find(token) ?? {};
    return owner && record && { ...owner, token, record, pages: pages[record.lang] };
  }

  async function show(request: Request, token: string, lang: Lang): Promise<Response> {
    const person = await findPerson(token);
    if (!person) return pages[lang].noPerson(request);
    const rest = await readRest(person.record);
    const bytes = new TextEncoder().encode(person.pages.person({ ...person, ...rest }));
    return new Response(request.method === "HEAD" ? null : bytes, {
      headers: {
        ...headers,
        "Content-Type": "text/html; charset=utf-8",
        // Without it, the server would declare the length of a HEAD's empty body (RFC 9110 §8.6).
        "Content-Length": String(bytes.byteLength),
      },
    });
  }

  const seeOther = (location: string) =>
    new Response(null, { status: 303, headers: { ...headers, Location: location } });

  const refuse = (failure: BodyFailure) => {
    const { status, error, message } = describeRefusal(failure);
    return Response.json({ error, message }, { status, headers });
  };

  /** Answers a form of the page: reads it, finds the person, and acts. */
  const answerForm =
    (act: (person: KnownPerson, form: Map<string, string>) => Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      const read = await readForm(request);
      if ("failure" in read) return refuse(read);
      const { values } = read.form;
      const person = await findPerson(values.get("t") ?? "");
      return person ? await act(person, values) : pages[languageOf(request)].noPerson(request);
    };

  const confirmByForm = answerForm(async (person, form) => {
    const { token, record: { lang }, pages: { consent } } = person;
    const shown = form.get("consent_text") ?? consentTextId(consent);
    // Another wording was shown, by an earlier version of the text: the page shows the new one.
    if (shown === consentTextId(consent)) await confirm(person, consent);
    return seeOther(`${SELF_SERVICE_PATHS[lang]}?t=${token}`);
  });

  const sendData = answerForm(async (person) => {
    // `waiting` tells what the ids in the outbox stand for.
    const { email, record: { outbox: _, ...record } } = person;
    const data = { email, ...record, ...await readRest(person.record) };
    return new Response(`${JSON.stringify(data, null, 2)}\n`, {
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="waitlist-data.json"',
      },
    });
  });

  const leaveByForm = answerForm(async (person) => {
    await leave(person);
    return seeOther(person.pages.paths.left);
  });

  /** Answers a mail program (RFC 8058), also for somebody who has left. */
  async function leaveByOneClick(request: Request, token: string): Promise<Response> {
    const isOneClick = await readOneClick(request);
    if (isOneClick !== true) return refuse(isOneClick);
    const found = await find(token);
    if (!found) return pages[languageOf(request)].noPerson(request);
    if (found.record) await leave(found.owner);
    return pages[found.record?.lang ?? languageOf(request)].left(request);
  }

  async function takeAddress(
    request: Request,
    info: ConnectionInfo,
    lang: Lang,
  ): Promise<Response> {
    const read = await readForm(request);
    if ("failure" in read) return refuse(read);
    const { data } = emailSchema.safeParse(read.form.values.get("email"));
    // The answer is the same, so that it does not tell whether the address is on the list.
    if (data !== undefined) askForLink(data.toLowerCase(), addressOf(request, info));
    return seeOther(pages[lang].paths.sent);
  }

  const routes = new Hono<{ Bindings: ConnectionInfo }>();
  for (const lang of ["en", "de"] as const) {
    routes.all(SELF_SERVICE_PATHS[lang], ({ req: { raw }, env }, next) => {
      if (raw.method === "POST") return takeAddress(raw, env, lang);
      if (!isRead(raw)) return Promise.resolve(methodNotAllowed(["GET", "HEAD", "POST"]));
      const token = tokenIn(raw);
      // Without a token, the site shows its page.
      return token ? show(raw, token, lang) : next();
    });
  }
  routes.all(LEAVE_PATH, ({ req: { raw } }) => {
    const token = tokenIn(raw);
    if (raw.method === "POST") return token ? leaveByOneClick(raw, token) : leaveByForm(raw);
    return isRead(raw)
      ? show(raw, token, languageOf(raw))
      : methodNotAllowed(["GET", "HEAD", "POST"]);
  });
  for (
    const [path, answer] of [["/place/confirm", confirmByForm], ["/place/data", sendData]] as const
  ) {
    routes.all(path, ({ req: { raw } }) => {
      return raw.method === "POST" ? answer(raw) : methodNotAllowed(["POST"]);
    });
  }
  return routes;
}

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** The language of an answer that no record gives one: the browser's, where it is one of the pages'. */
function languageOf({ headers }: Request): Lang {
  return chooseLanguage(headers.get("accept-language"), ["en", "de"]);
}

/** The token in the query; empty where there is none. */
function tokenIn({ url }: Request): string {
  return new URLSearchParams(rawQuery(url)).get("t") ?? "";
}
