/**
 * What the commands make sure of before they take an answer of the operator surface for data.
 *
 * @module
 */
import type {
  ClientList,
  ErasureOutcome,
  IssuedClient,
  KeyRotation,
  ListedClient,
  RotatedClient,
  StoredSignup,
} from "../../shared/operator_schemas.ts";
import type { Shape } from "../../shared/shapes.ts";

/** A new client. */
export const ISSUED_CLIENT: Shape<IssuedClient> = {
  clientId: isString,
  clientSecret: isString,
  name: isString,
  scopes: Array.isArray,
  createdAt: isString,
};

/** All clients. */
export const CLIENT_LIST: Shape<ClientList> = { clients: Array.isArray };

/** One client. */
export const CLIENT: Shape<ListedClient> = {
  clientId: isString,
  name: isString,
  scopes: Array.isArray,
  createdAt: isString,
  disabled: (value) => typeof value === "boolean",
  secrets: Array.isArray,
  lastUsed: isStringOrAbsent,
};

/** A client's new secret. */
export const ROTATED_CLIENT: Shape<RotatedClient> = {
  clientId: isString,
  clientSecret: isString,
  oldSecretUntil: isStringOrAbsent,
};

/** A new root key. */
export const KEY_ROTATION: Shape<KeyRotation> = { keyId: isString, signsFrom: isString };

/** A sign-up as it is kept. */
export const SIGNUP: Shape<StoredSignup> = {
  email: isString,
  createdAt: isString,
  consentedAt: isString,
  updatedAt: isString,
  lang: isString,
  source: isStringOrAbsent,
  role: isStringOrAbsent,
  building: isStringOrAbsent,
};

/** What became of an erasure. */
export const ERASURE: Shape<ErasureOutcome> = { outcome: isString, erasedAt: isString };

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isStringOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}
