/** How pages are answered: their security headers, in HTML or Markdown, and in frames of other sites. @module */
import {
  chooseLanguage,
  isForFrame,
  prefersMarkdown,
  prepareAnswer,
  representText,
} from "../http/mod.ts";
import { type Lang, LANGS } from "../waitlist/mod.ts";
import type { Forms } from "./render.ts";

export type AnswerPage = (request: Request) => Response;

/** Allows scripts, styles, images, fonts, calls and forms of this origin only, and nothing inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

/** The headers of a page, which pages of some origins may show in a frame. */
export function securityHeaders(
  baseUrl: string,
  frameOrigins: string[] = [],
): Record<string, string> {
  const ancestors = frameOrigins.join(" ") || "'none'";
  return {
    "Content-Security-Policy": `${CONTENT_SECURITY_POLICY}; frame-ancestors ${ancestors}`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    // Two years. Only an https: origin may ask for https.
    ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=63072000" }),
  };
}

/** Headers of every answer about a person: nothing may keep it, find it or tell others its address. */
export const SELF_SERVICE_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/** The language of an answer that nothing else gives one: the browser's, where it is one of the pages'. */
export function languageOf({ headers }: { headers: Headers }): Lang {
  return chooseLanguage(headers.get("accept-language"), LANGS);
}

export function servePage(forms: Forms, headers: Record<string, string>, status = 200): AnswerPage {
  const options = { status, headers };
  const html = prepareAnswer(representText(forms.html, "text/html"), options);
  const markdown = prepareAnswer(representText(forms.markdown, "text/markdown"), options);
  return (request) =>
    prefersMarkdown(request.headers.get("accept")) ? markdown(request) : html(request);
}

/** Serves a page that a frame may show, where it has no navigation. */
export function serveForFrames(whole: Forms, framed: Forms, headers: Record<string, string>) {
  const all = { ...headers, "Vary": `${headers.Vary}, Sec-Fetch-Dest` };
  const [answer, answerInFrame] = [servePage(whole, all), servePage(framed, all)];
  return (request: Request) =>
    isForFrame(request.headers) ? answerInFrame(request) : answer(request);
}
