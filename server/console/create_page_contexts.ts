/**
 * Makes what a page gets for a request (`PageContext`, in `page_context.ts`) from Hono's context of the request.
 * `textsOf` and `queryOf` read the language and the query of any request, also before an operator has signed in.
 * @module
 */
import type { Context } from "@hono/hono";
import { base64url } from "jose";
import { mayCall } from "../../shared/roles.ts";
import type { Operator } from "../config/mod.ts";
import type { ConsoleTexts } from "../content/mod.ts";
import { chooseLanguage, type ConnectionInfo, rawQuery } from "../http/mod.ts";
import type { CallableOperations, Caller, OperatorSurface } from "../operator/mod.ts";
import { createRandomIds, type Runtime } from "../runtime/mod.ts";
import { type Lang, LANGS } from "../waitlist/mod.ts";
import type { SentFields } from "./forms.ts";
import { type PageContext, type PageOperations, PATHS } from "./page_context.ts";
import { createUrlTokens } from "./url_tokens.ts";

/** What the contexts of all requests are made from. {@linkcode PageContext} explains the last four members. */
export interface PageContextOptions {
  runtime: Pick<Runtime, "log" | "now" | "random">;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  operators: Operator[];
  surface: Pick<OperatorSurface, "callableBy" | "testKey">;
  /** The key of the tokens in the console's URLs, at least 32 bytes. */
  key: Uint8Array;
  texts: Record<Lang, ConsoleTexts>;
  previewInvitation?: PageContext["previewInvitation"];
  answers: PageContext["answers"];
  sendsEvents: PageContext["sendsEvents"];
  yieldToCalls: PageContext["yieldToCalls"];
}

/** Hono's context of a request to the console. */
export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

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
      operations: catchErrors(surface.callableBy(caller), caller, { log, yieldToCalls }),
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
      previewInvitation: options.previewInvitation,
      answers: options.answers,
      sendsEvents: options.sendsEvents,
      yieldToCalls,
    };
  };
}

/**
 * Makes the operations for a page. If an operation throws an error, the page gets the failure `internal_error`, and the
 * log gets a line. After each operation, the page waits for the calls of the API that are under way.
 */
function catchErrors(
  operations: CallableOperations,
  { requestId }: Caller,
  { log, yieldToCalls }: Pick<Runtime, "log"> & Pick<PageContextOptions, "yieldToCalls">,
): PageOperations {
  const safeOperations = Object.entries(operations).map(([operation, call]) => [
    operation,
    // The type `never` fits the input of every operation. The type `PageOperations` checks the inputs of the callers.
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
  return Object.fromEntries(safeOperations);
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
