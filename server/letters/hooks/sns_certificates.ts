/**
 * Fetches the certificates by which messages of Amazon SNS are verified (`sns.ts`), and stores them in memory. A forged
 * message can name any URL of SNS, so failed fetches are stored as well, and a certificate is stored only once it has
 * verified a message. @module
 */
import { X509Certificate } from "node:crypto";
import type { Runtime } from "../../runtime/mod.ts";

/** What the verification of SNS messages needs. */
export interface SnsOptions extends Pick<Runtime, "monotonic" | "now"> {
  /** Gets a short text. @throws an Error if the answer is not 2xx or does not come in time */
  getText: (url: string) => Promise<string>;
}

/** How many certificates are stored at most. */
const MAX_CERTIFICATES = 10;

/** How many certificates are fetched at once at most. */
const MAX_FETCHES = 10;

/** How long a certificate is not fetched again after a failure, in milliseconds. */
const RETRY_MS = 10_000;

/** How many URLs of failed fetches are stored at most. */
const MAX_FAILURES = 1_000;

/** The certificates of SNS, by URL. */
export interface SnsCertificates {
  /** Finds a certificate that has verified a message before. */
  find: (url: string) => X509Certificate | undefined;
  /** Fetches a certificate; gives `undefined` if the fetch fails or is not tried at present. */
  fetch: (url: string) => Promise<X509Certificate | undefined>;
  /** Stores a certificate that has verified a message. */
  store: (url: string, certificate: X509Certificate) => void;
}

/** Makes the cache of certificates by URL. */
export function createCertificates({ getText, monotonic, now }: SnsOptions): SnsCertificates {
  /** The certificates that have verified a message, by URL. */
  const storedCertificates = new Map<string, X509Certificate>();
  /** The fetches that are running, by URL. */
  const runningFetches = new Map<string, Promise<X509Certificate | undefined>>();
  /** For each URL whose fetch failed, the moment until which it is not fetched again, on the monotonic clock. */
  const retryMoments = new Map<string, number>();

  const hasExpired = ({ validTo }: X509Certificate) => now() > Date.parse(validTo);

  async function fetchOnce(url: string): Promise<X509Certificate | undefined> {
    try {
      const certificate = new X509Certificate(await getText(url));
      if (!hasExpired(certificate)) return certificate;
    } catch {
      // SNS may be unreachable, or a forged message may name a certificate that does not exist.
    }
    setLast(retryMoments, url, monotonic() + RETRY_MS, MAX_FAILURES);
    return undefined;
  }

  return {
    find(url) {
      const certificate = storedCertificates.get(url);
      return certificate && !hasExpired(certificate) ? certificate : undefined;
    },
    async fetch(url) {
      const runningFetch = runningFetches.get(url);
      if (runningFetch) return await runningFetch;
      if (
        (retryMoments.get(url) ?? -Infinity) > monotonic() || runningFetches.size >= MAX_FETCHES
      ) {
        return undefined;
      }
      const newFetch = fetchOnce(url).finally(() => runningFetches.delete(url));
      runningFetches.set(url, newFetch);
      return await newFetch;
    },
    store(url, certificate) {
      setLast(storedCertificates, url, certificate, MAX_CERTIFICATES);
    },
  };
}

/** Puts a value at the end of a map. Deletes the first value if the map then has more than `max` values. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}
