/**
 * Decides on token requests by the client credentials grant (RFC 6749 §4.4). `client_authentication.ts` reads the
 * credentials of a request, and `access_tokens.ts` makes the tokens. @module
 */
import { andThen, type MaybePromise } from "../runtime/mod.ts";
import { type ClientCredentials, readClientAuthentication } from "./client_authentication.ts";
import { type Client, isSecretOf } from "./clients.ts";

/** A token request (contract, "TokenRequest"). */
export interface TokenRequest {
  /** The header `Authorization`. */
  authorization: string | null;
  /** The parameters of the form. A parameter that was sent more than once has its first value. */
  parameters: ReadonlyMap<string, string>;
  /** The names of parameters that were sent more than once. */
  repeated: readonly string[];
}

/** The client and the scopes of a new token. */
export type Grant = Pick<Client, "clientId" | "scopes">;

/** The reason why no token is issued, with a code of RFC 6749 §5.2. */
export interface TokenFault {
  code: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
  /** A sentence about the fault. Pass it through `toQuotable()`, because it may quote the request. */
  description: string;
  /** Whether the request has the header `Authorization`. Only the answer to the code `invalid_client` depends on it. */
  hasAuthorizationHeader: boolean;
}

/** What a decision depends on besides the request. */
export interface GrantContext {
  findClient: (clientId: string) => Client | undefined;
  /** Reads the clients from KV again, at most once a second. Rejects if KV does not answer. Absent in the sandbox. */
  reload?: (() => Promise<void>) | undefined;
  /** The present moment, in milliseconds since 1970. */
  now: number;
}

/** The decision on a token request. */
export type GrantDecision = { grant: Grant } | { fault: TokenFault };

/** Makes the decision that refuses a request. */
type Refuse = (code: TokenFault["code"], description: string) => { fault: TokenFault };

/**
 * Decides whether a token is issued, for which client and with which scopes. An empty parameter counts as absent
 * (RFC 6749 §3.2).
 */
export function decideGrant(
  request: TokenRequest,
  context: GrantContext,
): MaybePromise<GrantDecision> {
  const hasAuthorizationHeader = request.authorization !== null;
  const refuse: Refuse = (code, description) => ({
    fault: { code, description, hasAuthorizationHeader },
  });
  const parameter = (name: string) => request.parameters.get(name) || undefined;

  // RFC 8707 §2 allows several parameters `resource`. The service ignores them, because it has only one resource.
  const repeatedName = request.repeated.find((name) => name !== "resource");
  if (repeatedName !== undefined) {
    return refuse("invalid_request", `Parameter ${repeatedName} is given more than once.`);
  }
  const authentication = readClientAuthentication(request.authorization, {
    clientId: parameter("client_id"),
    clientSecret: parameter("client_secret"),
  });
  if (authentication === "conflicting") {
    return refuse(
      "invalid_request",
      "The client authenticates in two ways; use HTTP Basic or the form body, not both.",
    );
  }

  // The grant type is refused before unusable credentials, because a request of another grant type may rightly have
  // no credentials that this service can read.
  const grantType = parameter("grant_type");
  if (grantType === undefined) {
    return refuse("invalid_request", "Parameter grant_type is missing; send client_credentials.");
  }
  if (grantType !== "client_credentials") {
    return refuse(
      "unsupported_grant_type",
      `Grant type ${grantType} is not supported; send client_credentials.`,
    );
  }

  if (authentication === "unusable") {
    return refuse(
      "invalid_client",
      "Client authentication is missing or unreadable; " +
        "send client_id and client_secret by HTTP Basic or in the form body.",
    );
  }
  return andThen(authenticateClient(authentication, context), (client): GrantDecision => {
    if (client) return decideScopes(client, parameter("scope"), refuse);
    return refuse("invalid_client", "Client authentication failed; check id and secret.");
  });
}

/**
 * Finds the client with the id and the secret of a request. The clients are read again before a refusal, because the
 * client or its secret may be new. An unknown client and a wrong secret both cause this read, so that the time of the
 * answer does not tell them apart.
 */
function authenticateClient(
  { clientId, clientSecret }: ClientCredentials,
  { findClient, reload, now }: GrantContext,
): MaybePromise<Client | undefined> {
  function findWithSecret(): Client | undefined {
    const client = findClient(clientId);
    return isSecretOf(clientSecret, client, now) ? client : undefined;
  }
  const client = findWithSecret();
  if (client || !reload) return client;
  return reload().then(findWithSecret);
}

/**
 * Decides which scopes an authenticated client gets: the requested scopes, or, if the request names none, all scopes of
 * the client (RFC 6749 §3.3).
 */
function decideScopes(
  { clientId, scopes }: Client,
  scope: string | undefined,
  refuse: Refuse,
): GrantDecision {
  const requestedScopes = scope?.split(" ");
  if (requestedScopes?.includes("")) {
    return refuse(
      "invalid_scope",
      "Parameter scope has a space too many; put one space between two scopes, and none around them.",
    );
  }
  const refusedScope = requestedScopes?.find((scope) => !scopes.includes(scope));
  if (refusedScope !== undefined) {
    return refuse(
      "invalid_scope",
      `Scope ${refusedScope} is unknown or not granted to this client.`,
    );
  }
  return { grant: { clientId, scopes: [...new Set(requestedScopes ?? scopes)] } };
}
