/** OAuth clients and their secrets of 256 random bits. Several can be valid, to replace one without a gap. @module */
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { base64url } from "jose";
import { digestSha256, type RandomBytes } from "../runtime/mod.ts";

/** The only scope (contract, "Authentication"): aggregate counts, never personal data. */
export const STATS_SCOPE = "waitlist:stats:read";

export interface SecretDigest {
  /** SHA-256 of the secret, base64url. */
  digest: string;
  /** When the secret ends, in milliseconds since 1970; absent for the current secret. */
  expiresAt?: number;
}

export interface Client {
  clientId: string;
  name: string;
  scopes: string[];
  secrets: SecretDigest[];
  /** A date-time. */
  createdAt: string;
  /** A disabled client gets no new token. */
  disabled?: boolean;
}

/** The secret is shown once; it and the client's id are base64url. */
export interface MadeSecret {
  client: Client;
  clientSecret: string;
}

export function newClient(
  { name, scopes }: Pick<Client, "name" | "scopes">,
  { now, random }: { now: number; random: RandomBytes },
): MadeSecret {
  const clientSecret = base64url.encode(random(32));
  const secrets = [{ digest: digestOf(clientSecret) }];
  // On a command line, an id that begins with a hyphen would be read as a flag.
  const clientId = base64url.encode(random(12)).replace(/^-/, "_");
  const createdAt = new Date(now).toISOString();
  return { client: { clientId, name, scopes, secrets, createdAt }, clientSecret };
}

/** The sandbox's published client, whose secret equals its id (contract, "Environments"). */
export function publicClient(clientId: string, now: number): Client {
  return {
    clientId,
    name: "Sandbox",
    scopes: [STATS_SCOPE],
    secrets: [{ digest: digestOf(clientId) }],
    createdAt: new Date(now).toISOString(),
  };
}

/** What a secret is compared with where there is no client; no secret has this digest. */
const NO_SECRET: SecretDigest = { digest: base64url.encode(new Uint8Array(32)) };

/** Whether a client has a secret. The time tells neither how much of it is right nor whether the client exists. */
export function holdsSecret(client: Client | undefined, clientSecret: string, now: number) {
  const given = digestSha256(clientSecret);
  const secrets = client && client.secrets.length > 0 ? client.secrets : [NO_SECRET];
  let holds = false;
  for (const { digest, expiresAt = Infinity } of secrets) {
    const equal = timingSafeEqual(given, Buffer.from(digest, "base64url"));
    if (equal && now < expiresAt) holds = true;
  }
  return holds && client !== undefined && !client.disabled;
}

const digestOf = (clientSecret: string): string => digestSha256(clientSecret).toString("base64url");

export const MAX_SECRETS = 5;

/** The current one comes first. */
export const validSecrets = ({ secrets }: Client, now: number): SecretDigest[] =>
  secrets.filter(({ expiresAt = Infinity }) => now < expiresAt);

/** Gives a client a new secret, unless it has too many. Old ones last for the overlap, or to an earlier end. */
export function rotateSecret(
  client: Client,
  { overlapMs, now, random }: { overlapMs: number; now: number; random: RandomBytes },
): MadeSecret | undefined {
  const clientSecret = base64url.encode(random(32));
  const old = overlapMs === 0 ? [] : validSecrets(client, now).map(
    ({ digest, expiresAt = now + overlapMs }) => ({ digest, expiresAt }),
  );
  if (old.length >= MAX_SECRETS) return undefined;
  const secrets = [{ digest: digestOf(clientSecret) }, ...old];
  return { client: { ...client, secrets }, clientSecret };
}

/** Disables or enables a client; `undefined` where it is so already. */
export function setDisabled(client: Client, disabled: boolean): Client | undefined {
  const { disabled: wasDisabled = false, ...rest } = client;
  if (disabled === wasDisabled) return undefined;
  return disabled ? { ...rest, disabled } : rest;
}
