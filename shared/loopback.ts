/** Matches the hosts of this machine: `localhost`, `127.0.0.0/8` and `::1`, which a URL has in brackets. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an origin is `http:` to this machine. Such a connection needs no TLS. */
export const isLoopbackOrigin = (origin: string) =>
  origin.startsWith("http:") && LOOPBACK.test(new URL(origin).hostname);
