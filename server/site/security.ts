/**
 * The security headers of pages.
 *
 * @module
 */

/** Allows scripts, styles, images, fonts, calls and forms of this origin only, and nothing inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ");

/** Two years. */
const HSTS_SECONDS = 63_072_000;

/**
 * Returns the security headers of a page.
 *
 * @param baseUrl the public origin; HSTS is sent only if it is https
 * @param frameOrigins the origins of pages that may show the page in a frame
 */
export function securityHeaders(
  baseUrl: string,
  frameOrigins: string[] = [],
): Record<string, string> {
  const ancestors = frameOrigins.length > 0 ? frameOrigins.join(" ") : "'none'";
  return {
    "Content-Security-Policy": `${CONTENT_SECURITY_POLICY}; frame-ancestors ${ancestors}`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(baseUrl.startsWith("https:") && {
      "Strict-Transport-Security": `max-age=${HSTS_SECONDS}`,
    }),
  };
}
