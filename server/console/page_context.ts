import type { Context } from "@hono/hono";
import { base64url } from "jose";
import createHttpClient, { type Client } from "openapi-fetch";
import type { paths } from "../../shared/generated/operator.ts";
import { mayCall, type OperationId } from "../../shared/roles.ts";
import type { Operator } from "../config/mod.ts";
import type { ConsoleTexts, Html } from "../content/mod.ts";
import { chooseLanguage, type ConnectionInfo, rawPath, rawQuery } from "../http/mod.ts";
import type { LetterText } from "../letters/mod.ts";
import type { OperatorSurface } from "../operator/mod.ts";
import type { MaybePromise, YieldToCalls } from "../runtime/mod.ts";
import { type Lang, LANGS } from "../waitlist/mod.ts";
import type { Fields } from "./form_fields.ts";
import { createFormCookie, FORM_ID, type FormCookieOptions } from "./cookies.ts";
export { momentId } from "../../shared/moment_id.ts";

/** The paths of the console's pages, in the order of its navigation. */
export const PATHS = {
  overview: "/operator/",
  people: "/operator/people/",
  invite: "/operator/invite/",
  clients: "/operator/clients/",
  outbox: "/operator/outbox/",
  activity: "/operator/activity/",
  data: "/operator/data/",
} as const;

const PAGES = Object.keys(PATHS) as (keyof typeof PATHS)[];

/** The operation that a page and those below it are for; whose role may not call it does not see them. */
const OPERATIONS: Record<keyof typeof PATHS, OperationId> = {
  overview: "getOverview",
  people: "listSignups",
  invite: "listWaves",
  clients: "listClients",
  outbox: "listOutbox",
  activity: "readAuditLog",
  data: "exportSignups",
};

/** The pages of the navigation that an operator sees. Who sees none cannot sign in. */
export function pagesOf({ role }: Pick<Operator, "role">): (keyof typeof PATHS)[] {
  return PAGES.filter((page) => mayCall(role, OPERATIONS[page]));
}

/** The page of the navigation to which a path of the console belongs. */
export function pageAt(path: string): keyof typeof PATHS {
  return PAGES.findLast((page) => path.startsWith(PATHS[page])) ?? "overview";
}

/** The page of a person, whose path has no address in it; the form brings it. */
export const PERSON_PATH = "/operator/people/person/";

/** Where operators sign in and out. */
export const SIGN_IN_PATH = "/operator/sign-in/", SIGN_OUT_PATH = "/operator/sign-out";

export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

export interface PageContextOptions extends FormCookieOptions {
  surface: Pick<OperatorSurface, "answer" | "testKey">;
  texts: Record<Lang, ConsoleTexts>;
  /** Writes an invitation to be looked at, as it would be sent; absent without mail. */
  previewInvitation?: ((lang: Lang, invitationUrl: string) => LetterText) | undefined;
  sendsEvents: boolean;
  /** Is awaited between the parts of a page. */
  yieldToCalls: YieldToCalls;
}

/** What a page of the console is given. */
export interface PageContext
  extends Pick<PageContextOptions, "previewInvitation" | "sendsEvents" | "yieldToCalls"> {
  /** The operator's operations; a call runs through their pipeline in this process, as one of the CLI does. */
  operations: Client<paths>;
  may: (id: OperationId) => boolean;
  texts: ConsoleTexts;
  /** The query, in which no address ever stands. */
  query: URLSearchParams;
  /** The fields of the form that led here; absent where none did, and where the browser has them no more. */
  form: Fields | undefined;
  /** The `Set-Cookie` value that makes the browser forget the form; absent where it may keep it. */
  cookie?: string;
  /** Whether a form led here that the browser has no more. */
  hasExpired: boolean;
  /**
   * Keeps fields for a page, whose path can have a query: gives its address with their id, and the `Set-Cookie` value
   * with the fields; `undefined` where they are too long for a cookie. With `once`, the browser forgets them once they
   * are shown, as they do not hold later; with `alone`, it forgets the fields of all other forms.
   */
  keep: (
    path: string,
    fields: Fields,
    options?: { once?: boolean; alone?: boolean },
  ) => Promise<{ id: string; path: string; cookie: string } | undefined>;
  /** Answers a form with a redirect to a page, which the browser asks for with GET, and which gets the fields. */
  redirectWith: (...page: Parameters<PageContext["keep"]>) => Promise<Response | undefined>;
  /** Makes a value for the field `token` of a form, by which a form that is sent twice is answered once. */
  newToken: () => string;
  /** The clock, in milliseconds since 1970. */
  now: number;
}

/** The field of a form that its page gets once. */
const ONCE = "once";

export interface View {
  /** The title, and the heading where there is no other. */
  title: string;
  /** A heading with an address, which a browser's history must not have. */
  heading?: Html;
  body: Html;
  status?: number;
  /** Whether the page has code to copy, and so a script for it. */
  copies?: boolean;
  cookie?: string;
}

/** A page of the console: what it shows, and what its form does. */
export interface ConsolePage {
  path: string;
  get?: (pageContext: PageContext) => MaybePromise<View | Response>;
  /** Acts on the fields of a form, whose origin has been checked. */
  post?: (pageContext: PageContext, form: Fields) => Promise<View | Response>;
}

/** Answers with a redirect to a page of the console, which the browser asks for with GET. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

export async function makePageContext(
  operator: Operator,
  context: ConsoleContext,
  options: PageContextOptions,
): Promise<PageContext> {
  const { now, random, previewInvitation, sendsEvents, yieldToCalls } = options;
  const formCookie = createFormCookie(operator, options);
  const cookies = context.req.header("cookie");
  const query = queryOf(context);
  const id = query.get(FORM_ID);
  const form = id === null ? undefined : await formCookie.find(cookies, id);
  const keep: PageContext["keep"] = async (path, fields, { once, alone } = {}) => {
    const given = once ? new Map([...fields, [ONCE, "yes"]]) : fields;
    const added = await formCookie.add(alone ? undefined : cookies, given);
    const separator = path.includes("?") ? "&" : "?";
    return added && { ...added, path: `${path}${separator}${FORM_ID}=${added.id}` };
  };
  return {
    operations: operationsOf(operator.key, context, options),
    may: (id) => mayCall(operator.role, id),
    texts: textsOf(context, options),
    query,
    form,
    hasExpired: id !== null && !form,
    ...id !== null && form?.has(ONCE) && { cookie: await formCookie.remove(cookies, id) },
    keep,
    async redirectWith(...page) {
      const kept = await keep(...page);
      if (!kept) return undefined;
      const response = seeOther(kept.path);
      response.headers.append("Set-Cookie", kept.cookie);
      return response;
    },
    newToken: () => base64url.encode(random(6)),
    now: now(),
    previewInvitation,
    sendsEvents,
    yieldToCalls,
  };
}

function operationsOf(
  key: string,
  { req, env }: ConsoleContext,
  { surface, baseUrl, yieldToCalls }: PageContextOptions,
): Client<paths> {
  const forwardedFor = req.header("x-forwarded-for");
  return createHttpClient<paths>({
    baseUrl,
    headers: {
      Authorization: `Bearer ${key}`,
      // The calls are counted under the address of the browser.
      ...forwardedFor !== undefined && { "X-Forwarded-For": forwardedFor },
    },
    async fetch(request) {
      const response = await surface.answer(rawPath(request), request, env);
      await yieldToCalls();
      return response;
    },
  });
}

/** The texts in the language that a browser prefers: German or English. */
export function textsOf({ req }: ConsoleContext, { texts }: Pick<PageContextOptions, "texts">) {
  return texts[chooseLanguage(req.header("accept-language") ?? null, LANGS)];
}

export const queryOf = ({ req }: ConsoleContext) => new URLSearchParams(rawQuery(req.raw.url));
