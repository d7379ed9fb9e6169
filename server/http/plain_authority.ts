/**
 * Whether the `Host` of a request is only a host and perhaps a port, empty, or absent. Deno builds the
 * URL of a request from it as it is: with `Host: x/sandbox`, the path `/api/v1/waitlist` reads as
 * `/sandbox/api/v1/waitlist`, and a proxy that decides by the path has seen another one. The URL alone
 * does not show where the host ended, so every request's header is read.
 */
export function hasPlainAuthority(request: Request): boolean {
  const host = request.headers.get("host");
  return host === null || PLAIN_AUTHORITY.test(host);
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;
