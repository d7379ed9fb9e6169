/**
 * The contract's schemas by name, as types; their source is `openapi/public.yaml`.
 *
 * @module
 */
import type { components } from "./generated/public.ts";

type Schemas = components["schemas"];

/** What a sign-up request may say. */
export type WaitlistSignup = Schemas["WaitlistSignup"];
/** The answer to a sign-up. */
export type Accepted = Schemas["Accepted"];
/** The answer of the status probe. */
export type Status = Schemas["Status"];
/** Aggregate statistics: counts only. */
export type WaitlistStats = Schemas["WaitlistStats"];
/** The answer of the token endpoint. */
export type TokenResponse = Schemas["TokenResponse"];
/** The zero-auth index. */
export type ServiceIndex = Schemas["ServiceIndex"];
/** An error, everywhere but in 400 and 401 of the token endpoint. */
export type ApiError = Schemas["Error"];
/** An error of the token endpoint, 400 or 401 (RFC 6749 §5.2). */
export type OAuthError = Schemas["OAuthError"];
