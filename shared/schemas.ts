/**
 * The types of `openapi/public.yaml` by name, the lists of languages, forms and states, and checks that a response has the
 * fields of its type. `contract.ts` has the strict validation.
 *
 * The checks ignore additional fields, because a newer service may send some. They are written by hand, because
 * a JSON Schema validator takes time to load.
 *
 * @module
 */
import { ENVIRONMENTS } from "./environments.ts";
import type { components } from "./generated/public.ts";

type Schemas = components["schemas"];

/** The body of a sign-up. */
export type WaitlistSignup = Schemas["WaitlistSignup"];
/** The response to a sign-up. */
export type Accepted = Schemas["Accepted"];
/** The response of the status probe. */
export type Status = Schemas["Status"];
/** Aggregate statistics: counts only. */
export type WaitlistStats = Schemas["WaitlistStats"];
/** The response of the token endpoint. */
export type TokenResponse = Schemas["TokenResponse"];
/** The index of the API, which needs no authentication. */
export type ServiceIndex = Schemas["ServiceIndex"];
/** An error of the API, except for 400 and 401 of the token endpoint. */
export type ApiError = Schemas["Error"];
/** An error of the token endpoint, 400 or 401 (RFC 6749 §5.2). */
export type OAuthError = Schemas["OAuthError"];

/** The languages of the service. */
export const LANGS = ["en", "de"] as const satisfies readonly WaitlistSignup["lang"][];
/** The forms that a sign-up can come from. */
export const SOURCES = ["hero", "cta"] as const satisfies readonly WaitlistSignup["source"][];
/**
 * The states of a person, in the order in which a person passes through them: has not confirmed the address yet, waits
 * for an invitation, is invited, has accepted the invitation.
 */
export const STATES = ["unconfirmed", "waiting", "invited", "accepted"] as const;

/** A check for each field of a type. A shape that lacks a field of the type does not compile. */
export type Shape<T> = { [Field in keyof T]-?: (value: unknown) => boolean };

/** Returns the first field that is missing or not valid; `undefined` if the value has the shape. */
export function firstInvalidField<T>(shape: Shape<T>, value: unknown): string | undefined {
  const object = isObject(value) ? value : {};
  return Object.entries<(value: unknown) => boolean>(shape)
    .find(([field, fits]) => !fits(object[field]))?.[0];
}

/** The shape of the status probe's response. */
export const STATUS_SHAPE: Shape<Status> = {
  status: (value) => value === "ok",
  service: isString,
  apiVersion: (value) => value === "1",
  environment: isEnvironment,
  time: isDateTime,
  docs: isString,
  openapi: isString,
};

/** The shape of the statistics. */
export const STATS_SHAPE: Shape<WaitlistStats> = {
  total: isCount,
  last7Days: isCount,
  last30Days: isCount,
  byLang: isCountByName,
  byRole: isCountByName,
  byBuilding: isCountByName,
  bySource: isCountByName,
  generatedAt: isDateTime,
  environment: isEnvironment,
};

/** The shape of the response to a sign-up. */
export const ACCEPTED_SHAPE: Shape<Accepted> = { accepted: (value) => value === true };

/** The shape of the token endpoint's response. */
export const TOKEN_SHAPE: Shape<TokenResponse> = {
  access_token: (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value),
  // The value is case-insensitive (RFC 6749 §5.1).
  token_type: (value) => typeof value === "string" && value.toLowerCase() === "bearer",
  expires_in: isCount,
  scope: (value) => value === undefined || isString(value),
};

/** Whether a value is an object and not an array. */
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

/** Whether a value is an object that has a count under each name, as `byLang` of the statistics is. */
function isCountByName(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isCount);
}
