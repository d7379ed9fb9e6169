/** Scripts, styles, images and calls come from this origin alone, and nothing is written inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Two years, in seconds. */
const HSTS_SECONDS = 63_072_000;

/**
 * The security headers of every page.
 *
 * @param baseUrl the public origin; browsers are told to keep to https only where it is https
 */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(baseUrl.startsWith("https:") && {
      "Strict-Transport-Security": `max-age=${HSTS_SECONDS}`,
    }),
  };
}
