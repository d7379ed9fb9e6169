/**
 * What the commands make sure of before they take an answer of the operator surface for data.
 *
 * @module
 */
import type {
  ClientList,
  ErasureOutcome,
  ImportReport,
  IssuedClient,
  KeyRotation,
  ListedClient,
  Restore,
  RestoredLines,
  RotatedClient,
  StoredSignup,
} from "../../shared/operator_schemas.ts";
import { isObject, type Shape } from "../../shared/shapes.ts";

/** A new client. */
export const ISSUED_CLIENT: Shape<IssuedClient> = {
  client_id: isString,
  client_secret: isString,
  name: isString,
  scopes: Array.isArray,
  createdAt: isString,
};

/** All clients. */
export const CLIENT_LIST: Shape<ClientList> = { clients: Array.isArray };

/** One client. */
export const CLIENT: Shape<ListedClient> = {
  client_id: isString,
  name: isString,
  scopes: Array.isArray,
  createdAt: isString,
  disabled: (value) => typeof value === "boolean",
  secrets: Array.isArray,
  lastUsed: isStringOrAbsent,
};

/** A client's new secret. */
export const ROTATED_CLIENT: Shape<RotatedClient> = {
  client_id: isString,
  client_secret: isString,
  oldSecretUntil: isStringOrAbsent,
};

/** A new root key. */
export const KEY_ROTATION: Shape<KeyRotation> = {
  outcome: isString,
  keyId: isString,
  signsFrom: isString,
};

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

/** What became of an import's lines. */
export const IMPORT_REPORT: Shape<ImportReport> = {
  new: isNumber,
  merged: isNumber,
  unchanged: isNumber,
  refused: isNumber,
  refusals: Array.isArray,
};

/** A restore that is under way. */
export const RESTORE: Shape<Restore> = {
  checksum: isString,
  counts: isObject,
  startedAt: isString,
};

/** What became of a backup's lines. */
export const RESTORED_LINES: Shape<RestoredLines> = {
  restored: isNumber,
  unchanged: isNumber,
  erased: isNumber,
};

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isStringOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
