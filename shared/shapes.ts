/**
 * What the API client makes sure of before it calls an answer data: that the fields of the generated
 * type are there and of their type. Additional fields pass, so that a newer service is still readable;
 * `contract.ts` is the strict validate.
 *
 * @module
 */
import { ENVIRONMENTS } from "./environments.ts";
import type { Accepted, Status, TokenResponse, WaitlistStats } from "./schemas.ts";

/** A test for each field of a type; leaving one out does not compile. */
export type Shape<T> = { [Field in keyof T]-?: (value: unknown) => boolean };

/** The first field of a value that is missing or of another type; `undefined` when the shape fits. */
export function firstInvalidField<T>(shape: Shape<T>, value: unknown): string | undefined {
  const object = isObject(value) ? value : {};
  return Object.entries<(value: unknown) => boolean>(shape)
    .find(([field, fits]) => !fits(object[field]))?.[0];
}

/** The answer of the status probe. */
export const STATUS: Shape<Status> = {
  status: (value) => value === "ok",
  service: isString,
  apiVersion: (value) => value === "1",
  environment: isEnvironment,
  time: isDateTime,
  docs: isString,
  openapi: isString,
};

/** Aggregate statistics. */
export const STATS: Shape<WaitlistStats> = {
  total: isCount,
  last7Days: isCount,
  last30Days: isCount,
  byLang: isCounts,
  byRole: isCounts,
  byBuilding: isCounts,
  bySource: isCounts,
  generatedAt: isDateTime,
  environment: isEnvironment,
};

/** The answer to a sign-up. */
export const ACCEPTED: Shape<Accepted> = { accepted: (value) => value === true };

/** The answer of the token endpoint. */
export const TOKEN: Shape<TokenResponse> = {
  access_token: (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value),
  // Case does not matter in it (RFC 6749 §5.1).
  token_type: (value) => typeof value === "string" && value.toLowerCase() === "bearer",
  expires_in: isCount,
  scope: (value) => value === undefined || isString(value),
};

/** Whether a value is an object that is no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isEnvironment(value: unknown): boolean {
  return typeof value === "string" && Object.hasOwn(ENVIRONMENTS, value);
}

function isDateTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCounts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isCount);
}
