/** Token requests, reads of the statistics, and access tokens that the service did not issue. @module */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { base64url } from "jose";
import type { SecretDigest } from "../../server/oauth/clients.ts";
import { readRootKeys } from "../../server/store/credentials/root_keys.ts";
import { assertError, newAddress, readError } from "./answers.ts";
import { BASE_URL, createTestClient, SANDBOX_CLIENT, START, type TestService } from "./service.ts";

/** What tokens and challenges say of their environment. */
export const ENVIRONMENTS = [
  {
    name: "production",
    prefix: "",
    issuer: BASE_URL,
    audience: `${BASE_URL}/api/v1`,
    resourceMetadata: `${BASE_URL}/.well-known/oauth-protected-resource/api/v1`,
  },
  {
    name: "sandbox",
    prefix: "/sandbox",
    issuer: `${BASE_URL}/sandbox`,
    audience: `${BASE_URL}/sandbox/api/v1`,
    resourceMetadata: `${BASE_URL}/.well-known/oauth-protected-resource/sandbox/api/v1`,
  },
] as const;

/** One of {@linkcode ENVIRONMENTS}. */
type TestEnvironment = typeof ENVIRONMENTS[number];

/** What an OAuth client authenticates with. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Credentials for an environment: a new client's in production, the published ones in the sandbox. */
export async function credentialsFor(
  service: TestService,
  environment: TestEnvironment,
): Promise<Credentials> {
  if (environment.name === "production") return await createTestClient(service);
  return { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
}

/** Credentials as parameters of the form body (`client_secret_post`). */
export function inBody({ clientId, clientSecret }: Credentials) {
  return { client_id: clientId, client_secret: clientSecret };
}

/** A secret as it is kept, computed without the code under test. */
export function secretDigest(secret: string, expiresAt?: number): SecretDigest {
  const digest = createHash("sha256").update(secret).digest("base64url");
  return { digest, ...(expiresAt !== undefined && { expiresAt }) };
}

/** A token request; what is left out is as a client would send it. */
export interface TestTokenRequest {
  /** Fields of the form, or the body as it is. */
  body?: Record<string, string> | string | Uint8Array<ArrayBuffer>;
  authorization?: string | undefined;
  /** `null` sends none. */
  contentType?: string | null;
  method?: string;
  prefix?: string;
  from?: string;
}

/** Sends a token request; each comes from an address of its own, unless told otherwise. */
export function requestToken(service: TestService, request: TestTokenRequest): Promise<Response> {
  const { body = {}, authorization, contentType = "application/x-www-form-urlencoded" } = request;
  const headers = new Headers();
  if (contentType !== null) headers.set("Content-Type", contentType);
  if (authorization !== undefined) headers.set("Authorization", authorization);
  return service.request(`${request.prefix ?? ""}/api/v1/oauth/token`, {
    method: request.method ?? "POST",
    headers,
    body: body instanceof Uint8Array ? body : encode(body),
    from: request.from ?? newAddress(),
  });
}

/** Bytes, as a string or a form would set a `Content-Type` of its own. */
function encode(body: Record<string, string> | string): Uint8Array<ArrayBuffer> {
  const text = typeof body === "string" ? body : new URLSearchParams(body).toString();
  return new TextEncoder().encode(text);
}

/** Asks for the statistics; each request comes from an address of its own, unless told otherwise. */
export function requestStats(
  service: TestService,
  request: { authorization?: string; prefix?: string; method?: string; from?: string },
): Promise<Response> {
  const { authorization, prefix = "", method = "GET", from = newAddress() } = request;
  return service.request(`${prefix}/api/v1/waitlist/stats`, {
    method,
    headers: authorization === undefined ? {} : { Authorization: authorization },
    from,
  });
}

/**
 * Asserts an error in the shape of RFC 6749 §5.2: exactly `{error, error_description}`, the description in the
 * characters that the RFC allows.
 * @returns the description
 */
export async function assertOAuthError(
  response: Response,
  status: number,
  code: string,
): Promise<string> {
  const { error, error_description: description = "" } = await readError(response, status, [
    "error",
    "error_description",
  ]);
  assert.equal(error, code, description);
  assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return description;
}

/** The challenge of a refusal; realm and description are free, but for their characters. */
function challengeOf(error: string, { resourceMetadata }: TestEnvironment): RegExp {
  const text = String.raw`[\x20-\x21\x23-\x5b\x5d-\x7e]+`;
  const url = resourceMetadata.replaceAll(".", String.raw`\.`);
  return new RegExp(
    `^Bearer realm="${text}", error="${error}", error_description="${text}", ` +
      `scope="waitlist:stats:read", resource_metadata="${url}"$`,
  );
}

/** Asserts a refusal of the statistics, its body and its challenge. */
export async function assertRefused(
  response: Response,
  [status, error]: [401, "unauthorized" | "invalid_token"] | [403, "insufficient_scope"],
  environment: TestEnvironment,
): Promise<void> {
  const challenge = response.headers.get("www-authenticate");
  await assertError(response, status, error);
  assert.match(challenge ?? "", challengeOf(error, environment));
}

/** How a forged token differs from one that the service would issue; `undefined` drops a member. */
export interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** The hash of the HMAC; SHA-256 unless told otherwise. */
  hash?: "sha256" | "sha512";
  /** The environment whose key signs; the token's own unless told otherwise. */
  keyOf?: TestEnvironment["name"];
}

/** Signs a token as the service would, with the root key that the service keeps in KV. */
export async function forgeToken(
  { kv }: TestService,
  environment: TestEnvironment,
  { header, claims, hash = "sha256", keyOf = environment.name }: Forgery = {},
): Promise<string> {
  const { rootKeys: [root] } = await readRootKeys(kv);
  assert.ok(root);
  const { keyId, secret } = root;
  const info = `waitlist access token ${keyOf}`;
  const key = new Uint8Array(hkdfSync("sha256", Buffer.from(secret, "base64url"), "", info, 32));
  const issuedAt = START / 1000;
  const input = [
    { alg: "HS256", typ: "at+jwt", kid: keyId, ...header },
    {
      iss: environment.issuer,
      aud: environment.audience,
      sub: "forger",
      client_id: "forger",
      scope: "waitlist:stats:read",
      iat: issuedAt,
      exp: issuedAt + 900,
      jti: "forged",
      ...claims,
    },
  ].map((part) => base64url.encode(JSON.stringify(part))).join(".");
  return `${input}.${createHmac(hash, key).update(input).digest("base64url")}`;
}
