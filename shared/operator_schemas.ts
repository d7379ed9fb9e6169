/**
 * The operator surface's schemas by name, as types; their source is `openapi/operator.yaml`.
 *
 * @module
 */
import type { components } from "./generated/operator.ts";

type Schemas = components["schemas"];

/** What a new OAuth client is to be. */
export type NewClient = Schemas["NewClient"];
/** A new OAuth client with its secret. */
export type IssuedClient = Schemas["IssuedClient"];
/** An OAuth client as it is listed. */
export type ListedClient = Schemas["Client"];
/** All OAuth clients. */
export type ClientList = Schemas["ClientList"];
/** An address, which stands in a body and never in a URL. */
export type Address = Schemas["Address"];
/** A sign-up as it is kept, with its address. */
export type StoredSignup = Schemas["Signup"];
/** What became of an erasure. */
export type ErasureOutcome = Schemas["Erasure"];
/** An error. */
export type OperatorError = Schemas["Error"];
