/**
 * Seconds that a `Retry-After` header asks to wait: a number of seconds or a date (RFC 9110 §10.2.3);
 * `undefined` where it is absent or neither.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // The one form of date that is still sent; `Date.parse` would take "-5" for one, too.
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
