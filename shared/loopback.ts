/** Hosts of this machine, as URLs and addresses name them. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
