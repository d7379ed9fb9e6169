/** How pages are answered: their security headers, in HTML or Markdown, and in frames of other sites. @module */
import { type Mode, MODES } from "../content/mod.ts";
import {
  chooseLanguage,
  FOR_OTHER_SITES,
  isForFrame,
  prefersMarkdown,
  prepareAnswer,
  rawQuery,
  representText,
} from "../http/mod.ts";
import { type Lang, LANGS, SOURCES } from "../waitlist/mod.ts";
import type { Forms } from "./render.ts";

export type AnswerPage = (request: Request) => Response;

/** Allows styles, images, fonts, calls and forms of this origin only, scripts of one source, and nothing inline. */
const contentSecurityPolicy = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; ` +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

/** What the headers of a page depend on. */
interface SecurityOptions {
  baseUrl: string;
  /** What `script-src` allows. */
  scripts: string;
  /** The origins of pages that may show the page in a frame. */
  frameOrigins?: string[];
}

export function securityHeaders(
  { baseUrl, scripts, frameOrigins = [] }: SecurityOptions,
): Record<string, string> {
  const ancestors = frameOrigins.join(" ") || "'none'";
  return {
    "Content-Security-Policy": `${contentSecurityPolicy(scripts)}; frame-ancestors ${ancestors}`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    // They let a page with `Cross-Origin-Embedder-Policy: require-corp` show the frame.
    ...(frameOrigins.length > 0 && {
      "Cross-Origin-Embedder-Policy": "require-corp",
      ...FOR_OTHER_SITES,
    }),
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

/** A page in a frame, as the visitor's system asks for it, and in each mode. */
export type FramedPage<Page> = Record<"auto" | Mode, Page>;

/** What the address of a frame asks for by a parameter, or that of the form before, where it asked for something. */
function askedOf({ url, headers }: Pick<Request, "url" | "headers">, name: string) {
  const [own, before] = [url, headers.get("referer") ?? ""].map((address) =>
    new URLSearchParams(rawQuery(address)).get(name)
  );
  return own ?? before;
}

export function themeOf(request: Pick<Request, "url" | "headers">): "auto" | Mode {
  const asked = askedOf(request, "theme");
  return MODES.find((mode) => mode === asked) ?? "auto";
}

/** The contract's `source`, which a site gives to the form in its frame. */
export function sourceOf(request: Pick<Request, "url" | "headers">) {
  const asked = askedOf(request, "source");
  return SOURCES.find((source) => source === asked);
}

/** Serves a page that a frame may show, where it has no navigation. @param whole absent where it never has one */
export function serveForFrames(
  whole: Forms | undefined,
  framed: FramedPage<Forms>,
  headers: Record<string, string>,
): AnswerPage {
  const all = { ...headers, "Vary": `${headers.Vary}, Sec-Fetch-Dest, Referer` };
  const answer = whole && servePage(whole, all);
  const bySource = ({ html, markdown }: Forms) =>
    Object.fromEntries(["", ...whole ? [] : SOURCES].map((source) => {
      const field = source && `<input type="hidden" name="source" value="${source}">\n`;
      const filled = html.replace('<input type="hidden" name="lang"', `${field}$&`);
      return [source, servePage({ html: filled, markdown }, all)];
    }));
  const { auto, light, dark } = framed;
  const inFrame = { auto: bySource(auto), light: bySource(light), dark: bySource(dark) };
  return (request) => {
    if (answer && !isForFrame(request.headers)) return answer(request);
    const answers = inFrame[themeOf(request)];
    return (answers[sourceOf(request) ?? ""] ?? answers[""]!)(request);
  };
}
