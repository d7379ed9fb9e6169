/**
 * Whether a `Host` value is only a host and perhaps a port. Deno builds the URL of a request out of it
 * as it is: with `Host: x/operator?` the path `/` would read as `/operator`, behind the back of a proxy
 * that keeps `/operator` to itself.
 */
export function isPlainAuthority(host: string): boolean {
  return /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/.test(host);
}
