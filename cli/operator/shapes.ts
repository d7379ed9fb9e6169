/**
 * What the commands make sure of before they take an answer of the operator surface for data.
 *
 * @module
 */
import type {
  ClientList,
  ErasureOutcome,
  IssuedClient,
  StoredSignup,
} from "../../shared/operator_schemas.ts";
import type { Shape } from "../../shared/shapes.ts";

const isString = (value: unknown) => typeof value === "string";

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

function isStringOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}
