/**
 * Which keys of access tokens sign and verify at a moment while keys rotate: every process knows a new key before it
 * begins to sign, and an old key verifies until the last token that it signed has expired. Root keys are random and
 * stored; each environment's key is derived from them, so that no token of one environment is valid in the other.
 * @module
 */
import { Buffer } from "node:buffer";
import { hkdfSync } from "node:crypto";
import type { Runtime } from "../runtime/mod.ts";

/** How long an access token is valid, in seconds (contract, "Limits"). */
export const ACCESS_TOKEN_LIFETIME = 900;

/** Milliseconds before its first signature. Processes learn of it within a second, or 20 without their watch. */
export const ANNOUNCE_MS = 60_000;

/** How many milliseconds longer an old key may sign: KV did not answer meanwhile, or the process's clock is behind. */
export const SLACK_MS = 60_000;

/** How long a key verifies after its last signature was due, in milliseconds. */
const AFTER_LAST_SIGNATURE_MS = SLACK_MS + ACCESS_TOKEN_LIFETIME * 1000;

/** From `verifiesUntil` on, in milliseconds since 1970, a root key verifies nothing. */
export interface KeyTerm {
  root: RootKey;
  verifiesUntil: number;
}

/** Gives root keys their terms in the order in which they sign; each signs until the next one begins. */
export function keyTerms(roots: readonly RootKey[]): KeyTerm[] {
  const inOrder = roots.toSorted((one, other) => one.signsFrom - other.signsFrom);
  return inOrder.map((root, index) => {
    const signsUntil = inOrder[index + 1]?.signsFrom ?? Infinity;
    return { root, verifiesUntil: signsUntil + AFTER_LAST_SIGNATURE_MS };
  });
}

/** The derived keys are known by the names of the environments. */
type RingTerm = KeyTerm & { derived: Map<string, SigningKey> };

/** The root keys that a process knows. */
export class KeyRing {
  readonly #now: Runtime["now"];
  #terms: RingTerm[] = [];

  constructor(roots: readonly RootKey[], { now }: Pick<Runtime, "now">) {
    this.#now = now;
    this.replace(roots);
  }

  /**
   * Replaces the known root keys; throws where there is none. A new key may come later than it begins to sign, where
   * KV did not answer for long. A key that this process has signed with until now goes on verifying what it signed.
   * @param unreadable the ids of further keys, which stay as this process knows them
   */
  replace(stored: readonly RootKey[], unreadable: readonly string[] = []): void {
    const known = this.#terms.map(({ root }) => root);
    const roots = [...stored, ...known.filter(({ keyId }) => unreadable.includes(keyId))];
    if (roots.length === 0) throw new Error("There is no root key to sign access tokens with");
    const before = new Map(this.#terms.map((term) => [term.root.keyId, term.verifiesUntil]));
    const untilExpired = this.#now() + AFTER_LAST_SIGNATURE_MS;
    this.#terms = keyTerms(roots).map(({ root, verifiesUntil }) => {
      const asBefore = Math.min(before.get(root.keyId) ?? 0, untilExpired);
      return { root, verifiesUntil: Math.max(verifiesUntil, asBefore), derived: new Map() };
    });
  }

  /** In milliseconds since 1970. */
  get signsSince(): number {
    return this.#signing().root.signsFrom;
  }

  /** Each call of the functions uses the ring as it is then. */
  keysOf(environment: string): SigningKeys {
    return {
      signing: () => derivedOf(this.#signing(), environment),
      find: (keyId) => {
        const term = this.#terms.find(({ root }) => root.keyId === keyId);
        if (!term || term.verifiesUntil <= this.#now()) return undefined;
        return derivedOf(term, environment);
      },
    };
  }

  #signing(): RingTerm {
    const now = this.#now();
    return this.#terms.findLast(({ root }) => root.signsFrom <= now) ?? this.#terms[0]!;
  }
}

/** Derives a key only once, as every token call needs it. */
function derivedOf({ root, derived }: RingTerm, environment: string): SigningKey {
  let key = derived.get(environment);
  if (!key) derived.set(environment, key = deriveSigningKey(root, environment));
  return key;
}

export interface RootKey {
  /** The `kid` header of its tokens. */
  keyId: string;
  /** 256 random bits in base64url. */
  secret: string;
  /** When it begins to sign, in milliseconds since 1970. */
  signsFrom: number;
}

/** 256 bits, for HS256. */
export interface SigningKey extends Pick<RootKey, "keyId"> {
  secret: Uint8Array;
}

export interface SigningKeys {
  signing: () => SigningKey;
  /** A key verifies before it signs, as other clocks may be ahead. */
  find: (keyId: string) => SigningKey | undefined;
  /** Reads the keys again before an unknown one is refused, at most once a second. Rejects where KV does not answer. */
  reload?: (() => Promise<void>) | undefined;
}

/** HKDF, RFC 5869, with SHA-256. */
export function deriveSigningKey(root: RootKey, environment: string): SigningKey {
  const purpose = `waitlist access token ${environment}`;
  const bytes = Buffer.from(root.secret, "base64url");
  const secret = new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), purpose, 32));
  return { keyId: root.keyId, secret };
}
