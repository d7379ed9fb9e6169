/**
 * Which key signs access tokens at a moment, and which ones verify them, while keys rotate (decisions,
 * "Tokens"): a new key is known to every process before it begins to sign, and an old one goes on
 * verifying until the last token that it signed has expired.
 *
 * @module
 */
import { ACCESS_TOKEN_LIFETIME } from "./access_tokens.ts";
import {
  deriveSigningKey,
  type RootKey,
  type SigningKey,
  type SigningKeys,
} from "./signing_keys.ts";

/**
 * How long a new key is known before it signs, in milliseconds. Processes learn of it within a second, or
 * within 20 where their watch on KV died.
 */
export const ANNOUNCE_MS = 60_000;

/**
 * How long a process may go on signing with the key before, in milliseconds: it could not read the keys
 * while the new one was announced, or its clock is behind.
 */
export const SLACK_MS = 60_000;

/** A root key and its time. */
export interface KeyTerm {
  root: RootKey;
  /** The first moment at which it verifies nothing any more, in milliseconds since 1970. */
  verifiesUntil: number;
}

/** The terms of root keys in the order in which the keys sign; each signs until the next one does. */
export function keyTerms(roots: readonly RootKey[]): KeyTerm[] {
  const inOrder = roots.toSorted((one, other) => one.signsFrom - other.signsFrom);
  return inOrder.map((root, index) => {
    const signsUntil = inOrder[index + 1]?.signsFrom ?? Infinity;
    return { root, verifiesUntil: signsUntil + SLACK_MS + ACCESS_TOKEN_LIFETIME * 1000 };
  });
}

/** A term and what is derived of its key, by the names of the environments. */
type RingTerm = KeyTerm & { derived: Map<string, SigningKey> };

/** The root keys that a process knows. */
export class KeyRing {
  readonly #now: () => number;
  #terms: RingTerm[] = [];

  /**
   * @param roots at least one
   * @param now the clock, in milliseconds since 1970
   */
  constructor(roots: readonly RootKey[], now: () => number) {
    this.#now = now;
    this.replace(roots);
  }

  /** Takes what was read in the place of what was known; throws where that is no key at all. */
  replace(roots: readonly RootKey[]): void {
    if (roots.length === 0) throw new Error("There is no root key to sign access tokens with");
    this.#terms = keyTerms(roots).map((term) => ({ ...term, derived: new Map() }));
  }

  /** The keys of an environment, always as the ring is at that moment. */
  keysOf(environment: string): SigningKeys {
    return {
      signing: () => {
        const now = this.#now();
        const term = this.#terms.findLast(({ root }) => root.signsFrom <= now) ?? this.#terms[0];
        return derivedOf(term as RingTerm, environment);
      },
      find: (keyId) => {
        const term = this.#terms.find(({ root }) => root.keyId === keyId);
        if (!term || term.verifiesUntil <= this.#now()) return undefined;
        return derivedOf(term, environment);
      },
    };
  }
}

/** Derived once, as every token call needs it. */
function derivedOf({ root, derived }: RingTerm, environment: string): SigningKey {
  let key = derived.get(environment);
  if (!key) derived.set(environment, key = deriveSigningKey(root, environment));
  return key;
}
