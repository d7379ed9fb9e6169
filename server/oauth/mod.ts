/**
 * The rules of OAuth: the token grant, clients, access tokens and keys. This folder uses neither HTTP nor KV. @module
 */
export * from "./access_tokens.ts";
export * from "./challenge.ts";
export * from "./clients.ts";
export * from "./key_ring.ts";
export { rememberTokens } from "./remembered_tokens.ts";
export { decideGrant, type TokenFault } from "./token_grant.ts";
