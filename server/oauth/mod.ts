/**
 * The rules of OAuth: the token grant, clients, access tokens and keys. This folder uses neither HTTP nor KV. @module
 */
export {
  type AccessFault,
  type AccessTokens,
  createAccessTokens,
  decideAccess,
} from "./access_tokens.ts";
export { makeChallenge, toQuotable } from "./challenge.ts";
export {
  type Client,
  MAX_SECRETS,
  newClient,
  newSandboxClient,
  newSecret,
  rotateSecret,
  setDisabled,
  STATS_SCOPE,
  validSecretsOf,
} from "./clients.ts";
export {
  ACCESS_TOKEN_LIFETIME,
  ANNOUNCE_MS,
  KeyRing,
  type KeyTerm,
  keyTermsOf,
  type RootKey,
  SLACK_MS,
} from "./key_ring.ts";
export { rememberTokens } from "./remembered_tokens.ts";
export { decideGrant, type TokenFault } from "./token_grant.ts";
