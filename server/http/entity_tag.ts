/**
 * Whether `If-None-Match` is `*` or lists the tag; the comparison is weak (RFC 9110 §8.8.3.2). No tag has
 * a quote inside, so one that is found with its quotes is in the list, which may be long.
 */
export function matchesIfNoneMatch(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etag));
}
