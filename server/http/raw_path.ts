/**
 * The path of a request as it was sent: not decoded, not normalized, without query and fragment.
 * Hono decodes paths before it matches them, but the contract's are matched byte for byte.
 */
export function rawPath(request: Request): string {
  const { url } = request;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  let end = start;
  while (end < url.length && url[end] !== "?" && url[end] !== "#") end++;
  return url.slice(start, end);
}
