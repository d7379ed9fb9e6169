/**
 * OAuth clients and their secrets. A client can have several valid secrets while an old secret is being replaced.
 * @module
 */
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { base64url } from "jose";
import { digestSha256, type RandomBytes } from "../runtime/mod.ts";

/** The only scope (contract, "Authentication"). It allows a client to read aggregate counts. */
export const STATS_SCOPE = "waitlist:stats:read";

/** How many valid secrets a client has at most. */
export const MAX_SECRETS = 5;

/** A secret as it is stored. */
export interface SecretDigest {
  /** SHA-256 of the secret, in base64url. */
  digest: string;
  /**
   * The moment from which an old secret is not valid any more, in milliseconds since 1970. Absent for the current
   * secret.
   */
  expiresAt?: number;
}

/** An OAuth client, as it is stored. */
export interface Client {
  clientId: string;
  name: string;
  scopes: string[];
  secrets: SecretDigest[];
  /** The moment at which the client was made, a date-time. */
  createdAt: string;
  /** A disabled client gets no new token. */
  disabled?: boolean;
}

/** A new secret. The service shows it once, and stores only its digest. */
export interface NewSecret {
  /** The secret: 256 random bits in base64url. */
  clientSecret: string;
  /** SHA-256 of the secret, in base64url. */
  digest: string;
}

/** The digest with which a secret is compared if the client does not exist. No secret has this digest. */
const NO_SECRET: SecretDigest = { digest: base64url.encode(new Uint8Array(32)) };

/** Makes a secret for a client. */
export function newSecret(random: RandomBytes): NewSecret {
  const clientSecret = base64url.encode(random(32));
  return { clientSecret, digest: digestOf(clientSecret) };
}

/** Makes a client and its first secret. @param options.now the present moment, in milliseconds since 1970 */
export function newClient(
  { name, scopes }: Pick<Client, "name" | "scopes">,
  { now, random }: { now: number; random: RandomBytes },
): { client: Client; clientSecret: string } {
  const { clientSecret, digest } = newSecret(random);
  const secrets = [{ digest }];
  // No id begins with a hyphen, because a command line would read it as a flag.
  const clientId = base64url.encode(random(12)).replace(/^-/, "_");
  const createdAt = new Date(now).toISOString();
  return { client: { clientId, name, scopes, secrets, createdAt }, clientSecret };
}

/** Makes the published client of the sandbox, whose secret equals its id (contract, "Environments"). */
export function newSandboxClient(clientId: string, now: number): Client {
  return {
    clientId,
    name: "Sandbox",
    scopes: [STATS_SCOPE],
    secrets: [{ digest: digestOf(clientId) }],
    createdAt: new Date(now).toISOString(),
  };
}

/**
 * Whether the client exists and is enabled, and the secret is one of its valid secrets. The time of this check shows
 * neither how much of the secret is right nor whether the client exists.
 *
 * @param now the present moment, in milliseconds since 1970
 */
export function isSecretOf(
  clientSecret: string,
  client: Client | undefined,
  now: number,
): boolean {
  const digest = digestSha256(clientSecret);
  const secrets = client && client.secrets.length > 0 ? client.secrets : [NO_SECRET];
  let isRight = false;
  for (const secret of secrets) {
    const isEqual = timingSafeEqual(digest, Buffer.from(secret.digest, "base64url"));
    if (isEqual && isValid(secret, now)) isRight = true;
  }
  return isRight && client !== undefined && !client.disabled;
}

/** Whether a secret is still valid. @param now the present moment, in milliseconds since 1970 */
const isValid = ({ expiresAt }: SecretDigest, now: number): boolean =>
  expiresAt === undefined || now < expiresAt;

const digestOf = (clientSecret: string): string => digestSha256(clientSecret).toString("base64url");

/**
 * Gives the valid secrets of a client, the current secret first.
 * @param now the present moment, in milliseconds since 1970
 */
export const validSecretsOf = ({ secrets }: Client, now: number): SecretDigest[] =>
  secrets.filter((secret) => isValid(secret, now));

/**
 * Gives a client a new secret. The secret that was current until now stays valid for the overlap. Older secrets stay
 * valid for as long as before.
 *
 * @param options.overlapMs the overlap, in milliseconds; if it is 0, all other secrets become invalid at once
 * @param options.now the present moment, in milliseconds since 1970
 * @returns the changed client; `undefined` if the client already has {@linkcode MAX_SECRETS} valid secrets
 */
export function rotateSecret(
  client: Client,
  { digest: newDigest }: Pick<NewSecret, "digest">,
  { overlapMs, now }: { overlapMs: number; now: number },
): Client | undefined {
  const oldSecrets = overlapMs === 0 ? [] : validSecretsOf(client, now).map(
    ({ digest, expiresAt = now + overlapMs }) => ({ digest, expiresAt }),
  );
  if (oldSecrets.length >= MAX_SECRETS) return undefined;
  return { ...client, secrets: [{ digest: newDigest }, ...oldSecrets] };
}

/** Disables or enables a client. Gives the changed client; `undefined` if nothing changes. */
export function setDisabled(client: Client, disabled: boolean): Client | undefined {
  const { disabled: wasDisabled = false, ...enabledClient } = client;
  if (disabled === wasDisabled) return undefined;
  return disabled ? { ...enabledClient, disabled } : enabledClient;
}
