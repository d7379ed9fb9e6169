/** The certificates by which Amazon signs: fetched by their URLs, and kept once they have verified a message. @module */
import { X509Certificate } from "node:crypto";
import type { Runtime } from "../../runtime/mod.ts";

export interface SnsCertificatesOptions extends Pick<Runtime, "monotonic" | "now"> {
  getText: (url: string) => Promise<string>;
}

/** The most certificates that are kept, and the most fetches at once. */
const MAX_CERTIFICATES = 10, MAX_FETCHES = 10;

/** How long a certificate is not fetched after a failure, in milliseconds, and the most failures that are kept. */
const REST_MS = 10_000, MAX_RESTS = 1_000;

/** Makes the certificates of Amazon. A URL is normalised by the caller, so that a certificate has one name. */
export function createSnsCertificates({ getText, monotonic, now }: SnsCertificatesOptions) {
  const kept = new Map<string, X509Certificate>();
  const fetches = new Map<string, Promise<X509Certificate | undefined>>();
  /** Until when a URL is not fetched again; the oldest first. */
  const rests = new Map<string, number>();

  const isOver = ({ validTo }: X509Certificate) => now() > Date.parse(validTo);

  async function fetchOnce(url: string): Promise<X509Certificate | undefined> {
    try {
      const certificate = new X509Certificate(await getText(url));
      if (!isOver(certificate)) return certificate;
    } catch {
      // Amazon or the network may be away, and an invented name has no certificate: both are tried again later.
    }
    putLast(rests, url, monotonic() + REST_MS, MAX_RESTS);
    return undefined;
  }

  return {
    /** Gives a certificate that has verified a message before. */
    findKept(url: string): X509Certificate | undefined {
      const certificate = kept.get(url);
      return certificate && !isOver(certificate) ? certificate : undefined;
    },
    /** Fetches a certificate; gives `undefined` where it cannot be had now. */
    async fetch(url: string): Promise<X509Certificate | undefined> {
      const begun = fetches.get(url);
      if (begun) return await begun;
      if ((rests.get(url) ?? -Infinity) > monotonic() || fetches.size >= MAX_FETCHES) {
        return undefined;
      }
      const fetched = fetchOnce(url).finally(() => fetches.delete(url));
      fetches.set(url, fetched);
      return await fetched;
    },
    /** Keeps a certificate that has verified a message. */
    keep(url: string, certificate: X509Certificate): void {
      putLast(kept, url, certificate, MAX_CERTIFICATES);
    },
  };
}

/** Puts a value at the end of a map, from whose beginning one goes where there are more than `most`. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
