/** Hosts of this machine, as URLs and addresses name them. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an origin, as a parsed URL gives it, is one of this machine under plain `http:`. */
export const isLoopbackOrigin = (origin: string) =>
  origin.startsWith("http:") && LOOPBACK.test(new URL(origin).hostname);
