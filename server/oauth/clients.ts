/**
 * OAuth clients and their secrets. A secret is 256 random bits, shown once and kept as a SHA-256
 * digest; a client can hold two valid secrets, so that one can be replaced without a gap.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { base64url } from "jose";
import { digestSha256 } from "../digest.ts";

/** The only scope there is (contract, "Authentication"): aggregate counts, never personal data. */
export const STATS_SCOPE = "waitlist:stats:read";

/** A secret as it is kept. */
export interface SecretDigest {
  /** SHA-256 of the secret, base64url. */
  digest: string;
  /** When it stops being valid, in milliseconds since 1970; absent while it is the current one. */
  expiresAt?: number;
}

/** An OAuth client as it is kept. */
export interface Client {
  clientId: string;
  /** What the operator calls it. */
  name: string;
  scopes: string[];
  secrets: SecretDigest[];
  /** A date-time. */
  createdAt: string;
  /** A disabled client gets no new token. */
  disabled?: boolean;
}

/** Makes `length` random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * Makes a client with one secret.
 *
 * @returns the client to keep, and the secret to show once. Both the id and the secret are base64url
 * text, so they keep to `A-Z a-z 0-9 _ -`.
 */
export function newClient(
  description: { name: string; scopes: string[] },
  context: { now: number; random: RandomBytes },
): { client: Client; clientSecret: string } {
  const clientSecret = base64url.encode(context.random(32));
  const client: Client = {
    // A command line would take an id that begins with a hyphen for a flag.
    clientId: base64url.encode(context.random(12)).replace(/^-/, "_"),
    name: description.name,
    scopes: description.scopes,
    secrets: [{ digest: digestOf(clientSecret) }],
    createdAt: new Date(context.now).toISOString(),
  };
  return { client, clientSecret };
}

/** The published client of the sandbox, whose secret equals its id (contract, "Environments"). */
export function publicClient(clientId: string, now: number): Client {
  return {
    clientId,
    name: "Sandbox",
    scopes: [STATS_SCOPE],
    secrets: [{ digest: digestOf(clientId) }],
    createdAt: new Date(now).toISOString(),
  };
}

/** Compared against where there is no client; no secret has this digest. */
const NO_SECRET: SecretDigest = { digest: base64url.encode(new Uint8Array(32)) };

/**
 * Whether `clientSecret` is a valid secret of the client, in a time that tells neither how much of it
 * is right nor whether the client exists.
 */
export function holdsSecret(client: Client | undefined, clientSecret: string, now: number) {
  const given = digestSha256(clientSecret);
  const secrets = client && client.secrets.length > 0 ? client.secrets : [NO_SECRET];
  let holds = false;
  for (const secret of secrets) {
    const equal = timingSafeEqual(given, Buffer.from(secret.digest, "base64url"));
    if (equal && now < (secret.expiresAt ?? Infinity)) holds = true;
  }
  return holds && client !== undefined && !client.disabled;
}

/** A secret's digest as it is kept. */
export function digestOf(clientSecret: string): string {
  return digestSha256(clientSecret).toString("base64url");
}
