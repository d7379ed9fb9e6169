/**
 * What a page of the console is (`ConsolePage`), what it gets for a request (`PageContext`), and what it returns
 * (`View`). Makes the context of a page from Hono's context of the request; `textsOf` and `queryOf` read the language
 * and the query of any request, also before an operator has signed in. The paths of the navigation, and two functions
 * that pages of all folders call (`linesOf`, `seeOther`), are here as well. `mod.ts` serves the pages, and
 * `components.ts` and `forms.ts` have the parts from which pages are made. @module
 */
import type { Context } from "@hono/hono";
import { base64url } from "jose";
import { mayCall, type OperationId } from "../../shared/roles.ts";
import type { Operator } from "../config/mod.ts";
import type { ConsoleTexts, Html } from "../content/mod.ts";
import {
  type BodyFailure,
  chooseLanguage,
  type ConnectionInfo,
  type FileForm,
  rawQuery,
} from "../http/mod.ts";
import type { PreviewInvitation } from "../letters/mod.ts";
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
import { type Lang, LANGS, type OfferedAnswers } from "../waitlist/mod.ts";
import type { SentFields } from "./forms.ts";
import { createUrlTokens } from "./url_tokens.ts";

/** The query parameter with the encrypted fields. */
const ENCRYPTED_PARAMETER = "q";

/**
 * How many characters an encrypted parameter has at most. There is a limit, because many proxies refuse a request line
 * of more than 8 KB.
 */
const MAX_PARAMETER_LENGTH = 6_000;

/** The length of a request id, in characters. A short id is enough to connect the log lines of one request. */
const REQUEST_ID_LENGTH = 6;

/** The length of a form's token, in bytes. A short token is enough to tell apart the forms of one minute. */
const FORM_TOKEN_BYTES = 6;

/** The paths of the pages in the navigation, in the order of the navigation. */
export const PATHS = {
  overview: "/operator/",
  people: "/operator/people/",
  invite: "/operator/invite/",
  clients: "/operator/clients/",
  outbox: "/operator/outbox/",
  activity: "/operator/activity/",
  data: "/operator/data/",
} as const;

/** The name of a page in the navigation. */
export type PageName = keyof typeof PATHS;

/**
 * The operation that decides who sees a page of the navigation and the pages below it: an operator whose role may not
 * call the operation does not see them.
 */
const OPERATION_OF_PAGE: Record<PageName, OperationId> = {
  overview: "getOverview",
  people: "listSignups",
  invite: "listWaves",
  clients: "listClients",
  outbox: "listOutbox",
  activity: "readAuditLog",
  data: "exportSignups",
};

// The cast is needed because the type of `Object.keys()` loses the names of the members.
const PAGE_NAMES = Object.keys(PATHS) as PageName[];

/** Returns the pages of the navigation that a role may see. An operator who may see none of them cannot sign in. */
export function pagesFor({ role }: Pick<Operator, "role">): PageName[] {
  return PAGE_NAMES.filter((page) => mayCall(role, OPERATION_OF_PAGE[page]));
}

/** Returns the page of the navigation to which a path of the console belongs. */
export function pageOfPath(path: string): PageName {
  return PAGE_NAMES.findLast((page) => path.startsWith(PATHS[page])) ?? "overview";
}

/** The path of the page of a person. `:person` is the id of the record as an encrypted token. */
export const PERSON_PATH = "/operator/people/:person";

/** The path of the page that imports people from a file. */
export const IMPORT_PATH = "/operator/data/import/";

/**
 * How many people a page looks at, at most, to count those who fit its filters. Two such counts on a page read 3,200
 * entries and records of people, which is less than a search reads for a page (`MAX_READ` in `store/people/list.ts`).
 */
export const MAX_COUNTED_AT_ONCE = 800;

export const SIGN_IN_PATH = "/operator/sign-in/";

export const SIGN_OUT_PATH = "/operator/sign-out";

/** A page of the console: what it shows, and what its form does. */
export interface ConsolePage {
  path: string;
  get?: (pageContext: PageContext) => MaybePromise<View | Response>;
  /** Acts on the fields of a form. The console has checked that one of its own pages sent the form. */
  post?: (pageContext: PageContext, form: SentFields) => Promise<View | Response>;
  /** In place of `post`: how the page acts on a form that has a file. */
  fileForm?: {
    /** How many bytes the file may have. */
    maxBytes: number;
    /** Acts on the form. If the form could not be read, shows the reason. */
    post: (pageContext: PageContext, sent: FileForm | BodyFailure) => Promise<View | Response>;
  };
}

/** The content of a page, around which `layout.ts` writes the document. */
export interface View {
  /**
   * The title of the document, which is the heading as well if `heading` is absent. The title must not hold an e-mail
   * address.
   */
  title: string;
  /**
   * The heading, if it differs from the title. It can have an e-mail address, which must not be in the title, because
   * browsers keep titles in their history.
   */
  heading?: Html;
  body: Html;
  /**
   * Parts of the content behind `body`, for a page that shows the progress of its work. Each part is sent as soon as it
   * is made.
   */
  parts?: AsyncIterable<Html>;
  /** The HTTP status; 200 by default. */
  status?: number;
  /**
   * The script of the page: `copy.js` copies text, `choose.js` chooses the rows of a list and can focus the search, and
   * `upload.js` keeps the chosen file for a second form.
   */
  script?: "copy.js" | "choose.js" | "upload.js";
}

/** What a page gets for one request. */
export interface PageContext {
  /** The id of the request in the log and in audit entries. */
  requestId: string;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The company that runs the list: its legal name and postal address, or only its name, on one line. */
  company: string;
  /** The operator's operations, called in the name of the operator who is signed in. */
  operations: PageOperations;
  /**
   * Whether the role of the operator allows an operation. A page leaves out the buttons of operations that are not
   * allowed.
   */
  may: (id: OperationId) => boolean;
  /** The console's texts in the language of the browser. */
  texts: ConsoleTexts;
  /** The query of the URL. It holds an e-mail address only in encrypted form. */
  query: URLSearchParams;
  /**
   * The fields that `encryptedPath` has put into the query; `undefined` if the query has none that can be decrypted.
   */
  encryptedFields: SentFields | undefined;
  /**
   * Adds fields to a path as one encrypted parameter. Empty fields are left out. Returns `undefined` if the fields are
   * too long for a URL.
   */
  encryptedPath: (path: string, fields: SentFields) => string | undefined;
  /**
   * The id of the record, decrypted from the token in the path of a person's page. `undefined` on other pages and for a
   * token that cannot be decrypted.
   */
  personId: string | undefined;
  /** Returns the path of the page of a person. @param subpath the rest of the path, such as `/correct` */
  personPath: (id: string, subpath?: string) => string;
  /** The names of the operators who have a key at present. */
  operatorNames: string[];
  /**
   * Makes a random value for the form field `token`. If a browser sends the same form with this field twice within a
   * minute, the console acts only once.
   */
  newToken: () => string;
  /** The moment of the request, in milliseconds since 1970. */
  now: number;
  /** Gives the present moment in milliseconds since 1970. It is later than `now` once an operation was called. */
  readClock: () => number;
  /** Makes the letter of an invitation for a preview; absent if the service sends no letters. */
  previewInvitation: PreviewInvitation | undefined;
  /** The answers that people can choose on their own page. `undefined` if the page asks for none. */
  offeredAnswers: OfferedAnswers | undefined;
  /** Whether the service sends events. */
  sendsEvents: boolean;
  /**
   * Lets calls of the API that are under way go first. A page with long work awaits this function between two parts of
   * the work.
   */
  yieldToCalls: YieldToCalls;
}

/** The operations as a page calls them. An operation that throws fails with `internal_error`, and the log says why. */
export type PageOperations = {
  [Id in OperationId]: (input: InputOf<Id>) => Promise<ResultOf<Id> | PageFailure>;
};

/** Why an operation that a page has called failed. */
export type PageFailure = OperatorFailure | { failure: "internal_error" };

/**
 * Waits for long work, and returns all its lines. Between two parts of the work, calls of the API that are under way go
 * first.
 */
export async function linesOf<WorkLine>(
  { lines }: LongWork<WorkLine>,
  { yieldToCalls }: Pick<PageContext, "yieldToCalls">,
): Promise<WorkLine[]> {
  const allLines: WorkLine[] = [];
  for await (const batch of lines) {
    allLines.push(...batch);
    await yieldToCalls();
  }
  return allLines;
}

/** Redirects to a page of the console, which the browser then asks for with GET. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

/**
 * What the contexts of all requests are made from. {@linkcode PageContext} explains the members that pages get without
 * a change.
 */
export interface PageContextOptions {
  runtime: Pick<Runtime, "log" | "now" | "random">;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  company: string;
  operators: Operator[];
  surface: Pick<OperatorSurface, "callableBy" | "testKey">;
  /** The key of the tokens in the console's URLs, at least 32 bytes. */
  key: Uint8Array;
  texts: Record<Lang, ConsoleTexts>;
  previewInvitation?: PageContext["previewInvitation"];
  offeredAnswers: PageContext["offeredAnswers"];
  sendsEvents: PageContext["sendsEvents"];
  yieldToCalls: PageContext["yieldToCalls"];
}

/** Hono's context of a request to the console. */
export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

/** Returns the function that makes the context of each request. */
export function createPageContexts(
  options: PageContextOptions,
): (operator: Operator, context: ConsoleContext) => PageContext {
  const { key, surface, yieldToCalls } = options;
  const { log, now, random } = options.runtime;
  const personTokens = createUrlTokens(key, "person");
  const queryTokens = createUrlTokens(key, "query");
  const nextRequestId = createRandomIds({ length: REQUEST_ID_LENGTH, random });

  function personPath(id: string, subpath = ""): string {
    return `${PATHS.people}${personTokens.encrypt(id)}${subpath}`;
  }

  function encryptedPath(path: string, fields: SentFields): string | undefined {
    // The fields are sorted, so that the same fields give the same URL.
    const filledFields = [...fields].filter(([, value]) => value).toSorted();
    const token = queryTokens.encrypt(JSON.stringify(filledFields));
    if (token.length > MAX_PARAMETER_LENGTH) return undefined;
    return `${path}${path.includes("?") ? "&" : "?"}${ENCRYPTED_PARAMETER}=${token}`;
  }

  function decryptFields(query: URLSearchParams): SentFields | undefined {
    const text = queryTokens.decrypt(query.get(ENCRYPTED_PARAMETER) ?? "");
    return text === undefined ? undefined : new Map(JSON.parse(text));
  }

  return (operator, context) => {
    const query = queryOf(context);
    const personToken = context.req.param("person");
    const caller = { operator, requestId: nextRequestId() };
    return {
      requestId: caller.requestId,
      baseUrl: options.baseUrl,
      company: options.company,
      operations: operationsForPages(surface.callableBy(caller), caller, { log, yieldToCalls }),
      may: (id) => mayCall(operator.role, id),
      texts: textsOf(context, options),
      query,
      encryptedFields: decryptFields(query),
      encryptedPath,
      personId: personToken && personTokens.decrypt(personToken),
      personPath,
      operatorNames: options.operators.map(({ name }) => name),
      newToken: () => base64url.encode(random(FORM_TOKEN_BYTES)),
      now: now(),
      readClock: now,
      previewInvitation: options.previewInvitation,
      offeredAnswers: options.offeredAnswers,
      sendsEvents: options.sendsEvents,
      yieldToCalls,
    };
  };
}

/**
 * Makes the operations for a page. If an operation throws an error, the page gets the failure `internal_error`, and the
 * log gets a line. After each operation, the page lets the calls of the API that are under way go first.
 */
function operationsForPages(
  operations: CallableOperations,
  { requestId }: Caller,
  { log, yieldToCalls }: Pick<Runtime, "log"> & Pick<PageContextOptions, "yieldToCalls">,
): PageOperations {
  const pageOperations = Object.entries(operations).map(([id, operation]) => [
    id,
    // The type `never` fits the input of every operation. The type `PageOperations` checks the inputs of the callers.
    async (input: never) => {
      try {
        return await operation(input);
      } catch (error) {
        const { stack, message } = error as Error;
        log.error("an operation of a console page failed", {
          requestId,
          operation: id,
          error: stack ?? message,
        });
        return { failure: "internal_error" };
      } finally {
        await yieldToCalls();
      }
    },
  ]);
  return Object.fromEntries(pageOperations);
}

/** Returns the texts in the language that the browser prefers, German or English; in English if it prefers neither. */
export function textsOf(
  { req }: ConsoleContext,
  { texts }: Pick<PageContextOptions, "texts">,
): ConsoleTexts {
  return texts[chooseLanguage(req.header("accept-language") ?? null, LANGS)];
}

/** Returns the query of the URL, as the browser has sent it. */
export function queryOf({ req }: ConsoleContext): URLSearchParams {
  return new URLSearchParams(rawQuery(req.raw.url));
}
