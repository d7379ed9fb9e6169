/** The operation `createAccessToken`. @module */
import type { TokenResponse } from "../../shared/schemas.ts";
import { type BodyFailure, describeFailure } from "../http/mod.ts";
import { ACCESS_TOKEN_LIFETIME, decideGrant } from "../oauth/mod.ts";
import type { PublicFailure } from "./failure.ts";
import type { CreateOperation } from "./operation.ts";

/** Answers token requests (RFC 6749 §3.2, §4.4, §5; contract, rule 2). */
export const createAccessToken: CreateOperation = (environment) => {
  const { findClient, reload, noteClientUse, tokens, now } = environment;
  return {
    body: "form",
    onRefusedBody: toTokenFailure,
    async act(form, { headers }) {
      const decision = await decideGrant(
        {
          authorization: headers.get("authorization"),
          parameters: form.values,
          repeated: form.repeated,
        },
        { findClient, reload, now: now() },
      );
      if ("fault" in decision) return { failure: "token", fault: decision.fault };
      const { clientId, scopes } = decision.grant;
      noteClientUse(clientId);
      const otherMembers: Omit<TokenResponse, "access_token"> = {
        token_type: "Bearer",
        expires_in: ACCESS_TOKEN_LIFETIME,
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      };
      const token = tokens.issue(decision.grant);
      // The token is not passed to `JSON.stringify`, because a token needs no escaping, and the search for characters
      // to escape would take much time.
      const json = `{"access_token":"${token}",` + JSON.stringify(otherMembers).slice(1);
      // RFC 6749 §5.1 also requires `Cache-Control: no-store`, which every answer has.
      return { kind: "json", json, headers: { Pragma: "no-cache" } };
    },
  };
};

/**
 * Gives the error of RFC 6749 §5.2 for a refused body; `undefined` for a body that is too large, because the answer to
 * such a body has status 413 (contract, rule 2).
 */
function toTokenFailure(failure: BodyFailure): PublicFailure | undefined {
  if (failure.failure === "payload_too_large") return undefined;
  const description = failure.failure === "not_utf8"
    ? "The body is not UTF-8 text."
    : describeFailure(failure).message;
  return {
    failure: "token",
    fault: { code: "invalid_request", description, hasAuthorizationHeader: false },
  };
}
