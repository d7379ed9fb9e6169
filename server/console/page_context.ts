import type { Context } from "@hono/hono";
import type { Client } from "openapi-fetch";
import type { paths } from "../../shared/generated/operator.ts";
import type { Operator } from "../config/mod.ts";
import type { Html } from "../content/mod.ts";
import type { ConnectionInfo } from "../http/mod.ts";
import type { LetterText } from "../letters/mod.ts";
import type { YieldToCalls } from "../runtime/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import type { Fields } from "./fields.ts";

/** What Hono has of a request to the console. */
export type ConsoleContext = Context<{ Bindings: ConnectionInfo }>;

/**
 * The operator's operations in the name of one operator, typed by `openapi/operator.yaml`. A call runs through the
 * operator's pipeline in this process: it counts, checks the key, acts, logs and writes the audit log as it does for
 * the CLI.
 */
export type Operations = Client<paths>;

/** What the service has for the pages of the console. */
export interface PageContextOptions {
  /** Writes an invitation that is only looked at; absent where the service sends no letters. */
  previewInvitation?: PreviewInvitation | undefined;
  /** Whether the service sends events. */
  sendsEvents: boolean;
  /** Is awaited between the parts of a page. */
  yieldToCalls: YieldToCalls;
}

/** What a page of the console is given: a request of an operator who is signed in. */
export interface PageContext extends PageContextOptions {
  operator: Operator;
  operations: Operations;
  /** The language of the browser's preference. */
  lang: Lang;
  /** The query, in which no address ever stands. */
  query: URLSearchParams;
  /** The fields of the form that led here; absent where none did, and where the browser has them no more. */
  form: Fields | undefined;
  /**
   * Answers a form with a redirect to a page, which the browser asks for with GET, and which gets the fields.
   *
   * @param path the page, without a query
   * @returns `undefined` where the fields are too long for a cookie
   */
  redirectWith: (path: string, fields: Fields) => Promise<Response | undefined>;
  /** Removes the fields of all forms from the browser that gets an answer. */
  clearForms: (answer: Response) => Response;
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
  get?: (pageContext: PageContext) => Promise<View | Response>;
  /** Acts on the fields of a form, whose origin has been checked. */
  post?: (pageContext: PageContext, form: Fields) => Promise<View | Response>;
}

/** Answers with a redirect to a page of the console, which the browser asks for with GET. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}
