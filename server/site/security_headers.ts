/**
 * The security headers of pages, and the headers that keep the pages of the self-service out of caches and search
 * engines. @module
 */
import { LOADABLE_BY_OTHER_SITES } from "../http/mod.ts";

/**
 * A Content-Security-Policy that allows only this origin, and nothing inline.
 *
 * @param scriptSource the value of `script-src`
 */
const contentSecurityPolicy = (scriptSource: string): string =>
  `default-src 'none'; script-src ${scriptSource}; style-src 'self'; img-src 'self'; font-src 'self'; ` +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

interface SecurityOptions {
  baseUrl: string;
  /** The value of `script-src`. */
  scriptSource: string;
  /** The origins of pages that may show the page in a frame. */
  frameOrigins?: string[];
}

/** Returns the security headers of a page. */
export function securityHeaders(
  { baseUrl, scriptSource, frameOrigins = [] }: SecurityOptions,
): Record<string, string> {
  const ancestors = frameOrigins.join(" ") || "'none'";
  return {
    "Content-Security-Policy": `${
      contentSecurityPolicy(scriptSource)
    }; frame-ancestors ${ancestors}`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    // A site with `Cross-Origin-Embedder-Policy: require-corp` can show the page in a frame only with these headers.
    ...(frameOrigins.length > 0 && {
      "Cross-Origin-Embedder-Policy": "require-corp",
      ...LOADABLE_BY_OTHER_SITES,
    }),
    // Two years, in seconds. Browsers ignore the header on a page that came by plain http (RFC 6797 §8.1).
    ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=63072000" }),
  };
}

/**
 * Headers of every answer about a person: no cache and no search engine keeps the answer, and no other site gets the
 * URL of the page.
 */
export const SELF_SERVICE_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};
