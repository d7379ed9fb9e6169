/** Whether `If-None-Match` is `*` or lists the tag; the comparison is weak (RFC 9110 §8.8.3.2). */
export function matchesIfNoneMatch(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
