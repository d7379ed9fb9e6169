import type { Context } from "@hono/hono";
import createHttpClient, { type Client } from "openapi-fetch";
import type { paths } from "../../shared/generated/operator.ts";
import type { Operator } from "../config_operators.ts";
import type { Html } from "../content/html.ts";
import type { ConnectionInfo } from "../http/client_address.ts";
import { chooseLanguage } from "../http/negotiate.ts";
import type { Pipeline } from "../http/pipeline.ts";
import { rawPath } from "../http/request_target.ts";
import type { LetterText } from "../letters/letter.ts";
import type { YieldToCalls } from "../priority.ts";
import type { Lang } from "../waitlist/record.ts";

/** What Hono has of a request to the console. */
export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

/**
 * The operator's operations in the name of one operator, typed by `openapi/operator.yaml`. A call runs through the
 * operator's pipeline in this process: it counts, checks the key, acts, logs and writes the audit log as it does for
 * the CLI.
 */
export type Operations = Client<paths>;

/** Makes the {@linkcode Operations} of a key, for the time of one request. */
export function operationsOf(
  key: string,
  { req, env }: ConsoleContext,
  { operator, baseUrl, yieldToCalls }: {
    operator: Pipeline;
    baseUrl: string;
    yieldToCalls: YieldToCalls;
  },
): Operations {
  const forwardedFor = req.header("x-forwarded-for");
  return createHttpClient<paths>({
    baseUrl,
    headers: {
      Authorization: `Bearer ${key}`,
      // The calls are counted under the address of the browser.
      ...forwardedFor !== undefined && { "X-Forwarded-For": forwardedFor },
    },
    async fetch(request) {
      const response = await operator.answer(rawPath(request), request, env);
      await yieldToCalls();
      return response;
    },
  });
}

/** What the service has for the pages of the console. */
export interface VisitOptions {
  /** Writes an invitation that is only looked at; absent where the service sends no letters. */
  previewInvitation?: PreviewInvitation | undefined;
  /** Whether the service sends events. */
  sendsEvents: boolean;
  /** Is awaited between the parts of a page. */
  yieldToCalls: YieldToCalls;
}

/** What a page of the console is given: a request of an operator who is signed in. */
export interface Visit extends VisitOptions {
  operator: Operator;
  operations: Operations;
  /** The language of the browser's preference. */
  lang: Lang;
  /** The query, in which no address ever stands. */
  query: URLSearchParams;
  /** The clock, in milliseconds since 1970. */
  now: number;
}

/** Writes the letter of an invitation that leads to an address, in a language. */
export type PreviewInvitation = (lang: Lang, invitationUrl: string) => LetterText;

/** What a page shows. */
export interface View {
  /** The title and heading; the layout shows both. */
  title: string;
  body: Html;
  status?: number;
  /** Whether the page has code to copy, and so a script for it. */
  copies?: boolean;
  /** What follows the body, part by part, while work goes on; ends where the browser goes away. */
  rest?: AsyncIterable<Html>;
}

/** A page of the console: what it shows, and what its form does. */
export interface ConsolePage {
  /** The path, such as `/operator/people/`. */
  path: string;
  get?: (visit: Visit) => Promise<View | Response>;
  /** Acts on the fields of a form, whose origin has been checked. */
  post?: (visit: Visit, form: ReadonlyMap<string, string>) => Promise<View | Response>;
}

/** Answers with a redirect to a page of the console, which the browser asks for with GET. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

/** The language that a browser prefers: German or English. */
export function langOf({ req }: ConsoleContext): Lang {
  return chooseLanguage(req.header("accept-language") ?? null, ["en", "de"]);
}
