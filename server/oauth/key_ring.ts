/**
 * The keys of access tokens: which key signs at present, and which keys verify. A new key is announced before it signs,
 * so that every process knows the key. An old key verifies until the last token that it signed has expired.
 *
 * The store holds random root keys. The key of each environment is derived from a root key, so that no token of one
 * environment is valid in the other. @module
 */
import { Buffer } from "node:buffer";
import { hkdfSync } from "node:crypto";
import type { Runtime } from "../runtime/mod.ts";

/** How long an access token is valid, in seconds (contract, "Limits"). */
export const ACCESS_TOKEN_LIFETIME = 900;

/**
 * The time between the announcement of a key and its first signature, in milliseconds. Other processes learn of a key
 * within one second, or within 20 seconds if their watch on the store fails.
 */
export const ANNOUNCE_MS = 60_000;

/**
 * How long a process may go on signing with an old key after the next key began to sign, in milliseconds. A
 * process does so if KV does not answer, so that the process does not know the next key, or if its clock is behind.
 */
export const SLACK_MS = 60_000;

/** How long a key verifies after the next key began to sign, in milliseconds. */
const AFTER_LAST_SIGNATURE_MS = SLACK_MS + ACCESS_TOKEN_LIFETIME * 1000;

/** A root key, as it is stored. */
export interface RootKey {
  /** The id of the key, which tokens have in the header `kid`. */
  keyId: string;
  /** The secret part of the key: 256 random bits in base64url. */
  secret: string;
  /** The moment at which the key begins to sign, in milliseconds since 1970. */
  signsFrom: number;
}

/** A key that signs the access tokens of one environment. */
export interface SigningKey extends Pick<RootKey, "keyId"> {
  /** The secret of HS256, of 256 bits. */
  secret: Uint8Array;
}

/** The keys that sign and verify the access tokens of one environment. */
export interface SigningKeys {
  /** Gives the key that signs at present. */
  signing: () => SigningKey;
  /**
   * Finds a key that verifies at present. A key verifies tokens for some time before it signs a token, because the
   * clocks of other processes may be ahead.
   */
  find: (keyId: string) => SigningKey | undefined;
  /** Reads the keys of the store again, at most once a second. Rejects if KV does not answer. */
  reload?: (() => Promise<void>) | undefined;
}

/** The term of a root key: the key, and the moment until which it verifies tokens. */
export interface KeyTerm {
  root: RootKey;
  /** The moment from which on the key verifies no token, in milliseconds since 1970. */
  verifiesUntil: number;
}

/**
 * Gives, for each root key, until when the key verifies tokens. The result is in the order in which the keys begin to
 * sign. A key signs until the next key begins to sign.
 */
export function keyTermsOf(roots: readonly RootKey[]): KeyTerm[] {
  const rootsInOrder = roots.toSorted((one, other) => one.signsFrom - other.signsFrom);
  return rootsInOrder.map((root, index) => {
    const signsUntil = rootsInOrder[index + 1]?.signsFrom ?? Infinity;
    return { root, verifiesUntil: signsUntil + AFTER_LAST_SIGNATURE_MS };
  });
}

/** The term of a root key, and the keys that were derived from the root key, by the name of the environment. */
type RingTerm = KeyTerm & { derivedKeys: Map<string, SigningKey> };

/** The root keys that a process knows. */
export class KeyRing {
  readonly #now: Runtime["now"];
  /** The root keys, in the order in which they begin to sign. */
  #terms: RingTerm[] = [];

  constructor(roots: readonly RootKey[], { now }: Pick<Runtime, "now">) {
    this.#now = now;
    this.replace(roots);
  }

  /**
   * Replaces the known root keys. The key with which this process has signed until now goes on verifying the tokens of
   * this process, even if the process learns of the next key late because KV did not answer.
   *
   * @param readRoots the root keys that could be read
   * @param unreadableIds the ids of the root keys that could not be read; the process keeps those that it already knows
   * @throws an Error if there is no key at all
   */
  replace(readRoots: readonly RootKey[], unreadableIds: readonly string[] = []): void {
    const keptRoots = this.#terms.map(({ root }) => root)
      .filter(({ keyId }) => unreadableIds.includes(keyId));
    const roots = [...readRoots, ...keptRoots];
    if (roots.length === 0) throw new Error("There is no root key to sign access tokens with");
    this.#terms = keyTermsOf(roots).map(({ root, verifiesUntil }) => ({
      root,
      verifiesUntil: Math.max(verifiesUntil, this.#endOfTokensSoFar(root.keyId)),
      derivedKeys: new Map(),
    }));
  }

  /**
   * Gives until when a key must verify the tokens that this process may have signed with the key until now; 0 for a key
   * that this process does not know.
   */
  #endOfTokensSoFar(keyId: string): number {
    const term = this.#terms.find(({ root }) => root.keyId === keyId);
    return term ? Math.min(term.verifiesUntil, this.#now() + AFTER_LAST_SIGNATURE_MS) : 0;
  }

  /** The moment at which the signing key began to sign, in milliseconds since 1970. */
  get signsSince(): number {
    return this.#signingTerm().root.signsFrom;
  }

  /**
   * Gives the keys of an environment. The result stays current: its functions use the root keys as they are at each
   * call.
   */
  keysOf(environment: string): SigningKeys {
    return {
      signing: () => signingKeyOf(this.#signingTerm(), environment),
      find: (keyId) => {
        const term = this.#terms.find(({ root }) => root.keyId === keyId);
        if (!term || term.verifiesUntil <= this.#now()) return undefined;
        return signingKeyOf(term, environment);
      },
    };
  }

  /**
   * Gives the term of the key that signs at present. Before any key begins to sign, which a clock that is behind can
   * cause, it is the term of the first key.
   */
  #signingTerm(): RingTerm {
    const now = this.#now();
    return this.#terms.findLast(({ root }) => root.signsFrom <= now) ?? this.#terms[0]!;
  }
}

/** Gives the key of an environment. Derives the key at the first call, and keeps it in memory. */
function signingKeyOf({ root, derivedKeys }: RingTerm, environment: string): SigningKey {
  const knownKey = derivedKeys.get(environment);
  if (knownKey) return knownKey;
  const key = deriveSigningKey(root, environment);
  derivedKeys.set(environment, key);
  return key;
}

/** Derives the key of an environment from a root key by HKDF with SHA-256 (RFC 5869). */
export function deriveSigningKey(root: RootKey, environment: string): SigningKey {
  const purpose = `waitlist access token ${environment}`;
  const bytes = Buffer.from(root.secret, "base64url");
  const secret = new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), purpose, 32));
  return { keyId: root.keyId, secret };
}
