/**
 * What the operator changes of a client after it was issued.
 *
 * @module
 */
import { base64url } from "jose";
import { type Client, digestOf, type RandomBytes, type SecretDigest } from "./clients.ts";

/** Secrets that a client can have at the same time, old ones included. */
export const MAX_SECRETS = 5;

/** The secrets of a client that are valid, the current one first. */
export function validSecrets({ secrets }: Client, now: number): SecretDigest[] {
  return secrets.filter(({ expiresAt }) => now < (expiresAt ?? Infinity));
}

/**
 * Gives a client a new secret. The one before stays valid for the overlap, and one that an earlier
 * rotation has left, until its own end, as was promised then. Without an overlap all of them end.
 *
 * @returns the client to keep, and the secret to show once; `undefined` where it has too many already
 */
export function rotateSecret(
  client: Client,
  { overlapMs, now, random }: { overlapMs: number; now: number; random: RandomBytes },
): { client: Client; clientSecret: string } | undefined {
  const clientSecret = base64url.encode(random(32));
  const old = overlapMs === 0 ? [] : validSecrets(client, now).map(
    ({ digest, expiresAt = now + overlapMs }) => ({ digest, expiresAt }),
  );
  if (old.length >= MAX_SECRETS) return undefined;
  const secrets = [{ digest: digestOf(clientSecret) }, ...old];
  return { client: { ...client, secrets }, clientSecret };
}

/** The client, disabled or enabled again. */
export function setDisabled(client: Client, disabled: boolean): Client {
  const { disabled: _, ...rest } = client;
  return disabled ? { ...rest, disabled } : rest;
}
