/** What a page of the console is, and what it is given. @module */
import type { Context } from "@hono/hono";
import { base64url } from "jose";
import { mayCall, type OperationId } from "../../shared/roles.ts";
import type { Operator } from "../config/mod.ts";
import type { ConsoleTexts, Html } from "../content/mod.ts";
import { chooseLanguage, type ConnectionInfo, rawQuery } from "../http/mod.ts";
import type { LetterText } from "../letters/mod.ts";
import type {
  CallableOperations,
  Caller,
  InputOf,
  LongWork,
  OperatorFailure,
  OperatorSurface,
  ResultOf,
} from "../operator/mod.ts";
import {
  createRandomIds,
  type MaybePromise,
  type Runtime,
  type YieldToCalls,
} from "../runtime/mod.ts";
import { type Lang, LANGS } from "../waitlist/mod.ts";
import type { Fields } from "./form_fields.ts";
import { createSealer } from "./sealed.ts";
export { momentId } from "../../shared/moments.ts";

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

/** The page of a person, whose path has the record's id, encrypted. */
export const PERSON_PATH = "/operator/people/:person";

/** Where operators sign in and out. */
export const SIGN_IN_PATH = "/operator/sign-in/", SIGN_OUT_PATH = "/operator/sign-out";

export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

export interface PageContextOptions {
  runtime: Pick<Runtime, "log" | "now" | "random">;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  surface: Pick<OperatorSurface, "callableBy" | "testKey">;
  /** The key of the tokens in the console's URLs, at least 32 bytes. */
  key: Uint8Array;
  texts: Record<Lang, ConsoleTexts>;
  /** Writes an invitation to be looked at, as it would be sent; absent without mail. */
  previewInvitation?: ((lang: Lang, invitationUrl: string) => LetterText) | undefined;
  sendsEvents: boolean;
  /** Is awaited between the parts of a page. */
  yieldToCalls: YieldToCalls;
}

/** The operations as a page calls them: an operation that throws fails with `internal_error`, and the log says why. */
export type PageOperations = {
  [Id in OperationId]: (input: InputOf<Id>) => Promise<ResultOf<Id> | PageFailure>;
};

/** Why an operation that a page has called failed. */
export type PageFailure = OperatorFailure | { failure: "internal_error" };

/** What a page of the console is given. */
export interface PageContext
  extends Pick<PageContextOptions, "previewInvitation" | "sendsEvents" | "yieldToCalls"> {
  /** The id of the request in the log and in audit entries. */
  requestId: string;
  operations: PageOperations;
  may: (id: OperationId) => boolean;
  texts: ConsoleTexts;
  /** The id of the person in the path; absent on other pages, and where the token is none of this service. */
  personId: string | undefined;
  /** The path of the page of a person, to which `below` leads further. */
  personPath: (id: string, below?: string) => string;
  /** The query, in which an address only stands encrypted. */
  query: URLSearchParams;
  /** The fields that the query has encrypted; absent where it has none. */
  sealed: Fields | undefined;
  /** Adds fields to a path as an encrypted query; `undefined` where they are too long for a URL. */
  sealedPath: (path: string, fields: Fields) => string | undefined;
  /** Makes a value for the field `token` of a form, by which a form that is sent twice is answered once. */
  newToken: () => string;
  /** The clock, in milliseconds since 1970. */
  now: number;
}

export interface View {
  /** The title, and the heading where there is no other. */
  title: string;
  /** A heading with an address, which a browser's history must not have. */
  heading?: Html;
  body: Html;
  status?: number;
  /** Whether the page has code to copy, and so a script for it. */
  copies?: boolean;
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

/** The parameter of a query that has encrypted fields. */
const SEALED = "q";

/** The most characters of an encrypted query, because servers in front take a line of 8 KB at the most. */
const MAX_SEALED_LENGTH = 6_000;

/** Makes the function that makes what a page is given. */
export function createPageContexts(options: PageContextOptions) {
  const { key, previewInvitation, sendsEvents, surface, yieldToCalls } = options;
  const { log, now, random } = options.runtime;
  const people = createSealer(key, "person");
  const queries = createSealer(key, "query");
  const nextRequestId = createRandomIds({ length: REQUEST_ID_LENGTH, random });

  function personPath(id: string, below = ""): string {
    return `${PATHS.people}${people.seal(id)}${below}`;
  }

  function sealedPath(path: string, fields: Fields): string | undefined {
    const given = [...fields].filter(([, value]) => value).toSorted();
    const token = queries.seal(JSON.stringify(given));
    if (token.length > MAX_SEALED_LENGTH) return undefined;
    return `${path}${path.includes("?") ? "&" : "?"}${SEALED}=${token}`;
  }

  function openQuery(query: URLSearchParams): Fields | undefined {
    const text = queries.open(query.get(SEALED) ?? "");
    return text === undefined ? undefined : new Map(JSON.parse(text));
  }

  return (operator: Operator, context: ConsoleContext): PageContext => {
    const query = queryOf(context);
    const person = context.req.param("person");
    const caller = { operator, requestId: nextRequestId() };
    return {
      requestId: caller.requestId,
      operations: guard(surface.callableBy(caller), caller, { log, yieldToCalls }),
      may: (id) => mayCall(operator.role, id),
      texts: textsOf(context, options),
      personId: person && people.open(person),
      personPath,
      query,
      sealed: openQuery(query),
      sealedPath,
      newToken: () => base64url.encode(random(6)),
      now: now(),
      previewInvitation,
      sendsEvents,
      yieldToCalls,
    };
  };
}

const REQUEST_ID_LENGTH = 6;

/** Logs what an operation throws, and lets sign-ups that have come meanwhile go first. */
function guard(
  operations: CallableOperations,
  { requestId }: Caller,
  { log, yieldToCalls }: Pick<Runtime, "log"> & Pick<PageContextOptions, "yieldToCalls">,
): PageOperations {
  const guarded = Object.entries(operations).map(([operation, call]) => [
    operation,
    async (input: never) => {
      try {
        return await call(input);
      } catch (error) {
        const { stack, message } = error as Error;
        log.error("operation failed", { requestId, operation, error: stack ?? message });
        return { failure: "internal_error" };
      } finally {
        await yieldToCalls();
      }
    },
  ]);
  return Object.fromEntries(guarded);
}

/** Takes all lines of long work, which it waits for. Sign-ups go first between two parts of the work. */
export async function linesOf<WorkLine>(
  { lines }: LongWork<WorkLine>,
  { yieldToCalls }: Pick<PageContext, "yieldToCalls">,
): Promise<WorkLine[]> {
  const all: WorkLine[] = [];
  for await (const some of lines) {
    all.push(...some);
    await yieldToCalls();
  }
  return all;
}

/** The texts in the language that a browser prefers: German or English. */
export function textsOf({ req }: ConsoleContext, { texts }: Pick<PageContextOptions, "texts">) {
  return texts[chooseLanguage(req.header("accept-language") ?? null, LANGS)];
}

export const queryOf = ({ req }: ConsoleContext) => new URLSearchParams(rawQuery(req.raw.url));
