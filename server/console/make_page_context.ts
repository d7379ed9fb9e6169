/**
 * What a request to the console brings: the operator's operations, the language, the query and the form.
 *
 * @module
 */
import createHttpClient from "openapi-fetch";
import type { paths } from "../../shared/generated/operator.ts";
import type { Operator } from "../config/mod.ts";
import { chooseLanguage, type Pipeline, rawPath, rawQuery } from "../http/mod.ts";
import type { YieldToCalls } from "../runtime/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import { clearForms, createFormCookie, FORM_ID, type FormCookieOptions } from "./form_cookie.ts";
import {
  type ConsoleContext,
  type Operations,
  type PageContext,
  type PageContextOptions,
  seeOther,
} from "./page_context.ts";

/** What a {@linkcode PageContext} is made with. */
export interface MakePageContextOptions extends PageContextOptions, FormCookieOptions {
  /** The operator's API. */
  operator: Pipeline;
}

/** Makes the page context of an operator who is signed in. */
export async function makePageContext(
  operator: Operator,
  context: ConsoleContext,
  options: MakePageContextOptions,
): Promise<PageContext> {
  const { baseUrl, now, previewInvitation, sendsEvents, yieldToCalls } = options;
  const formCookie = createFormCookie(operator, options);
  const cookies = context.req.header("cookie");
  const query = queryOf(context);
  const id = query.get(FORM_ID);
  return {
    operator,
    operations: operationsOf(operator.key, context, options),
    lang: langOf(context),
    query,
    form: id === null ? undefined : await formCookie.find(cookies, id),
    async redirectWith(path, fields) {
      const added = await formCookie.add(cookies, fields);
      if (!added) return undefined;
      const response = seeOther(`${path}?${FORM_ID}=${added.id}`);
      response.headers.append("Set-Cookie", added.cookie);
      return response;
    },
    clearForms(answer) {
      answer.headers.append("Set-Cookie", clearForms(baseUrl));
      return answer;
    },
    now: now(),
    previewInvitation,
    sendsEvents,
    yieldToCalls,
  };
}

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

/** The language that a browser prefers: German or English. */
export function langOf({ req }: ConsoleContext): Lang {
  return chooseLanguage(req.header("accept-language") ?? null, ["en", "de"]);
}

/** The query of a request. */
export function queryOf({ req }: ConsoleContext): URLSearchParams {
  return new URLSearchParams(rawQuery(req.raw.url));
}
