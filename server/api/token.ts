import type { TokenResponse } from "../../shared/schemas.ts";
import { type BodyFailure, describeFailure } from "../http/mod.ts";
import { ACCESS_TOKEN_LIFETIME, decideGrant } from "../oauth/mod.ts";
import type { PublicFailure } from "./failure.ts";
import type { CreateOperation } from "./operation.ts";

/** The OAuth 2.0 token endpoint (RFC 6749 §3.2, §4.4, §5). */
export const createAccessToken: CreateOperation = (environment) => {
  const { findClient, reload, noteClientUse, tokens, now } = environment;
  return {
    body: "form",
    describeBody,
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
      const rest: Omit<TokenResponse, "access_token"> = {
        token_type: "Bearer",
        expires_in: ACCESS_TOKEN_LIFETIME,
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      };
      const token = tokens.issue(decision.grant);
      // No character of a token needs escaping; `JSON.stringify` would take as long as its signature.
      const json = `{"access_token":"${token}",` + JSON.stringify(rest).slice(1);
      // Every answer has `Cache-Control: no-store`, which RFC 6749 §5.1 asks for too.
      return { json, headers: { Pragma: "no-cache" } };
    },
  };
};

/** Describes a refused body as RFC 6749 §5.2 has it; a body that is too large stays 413 (contract, rule 2). */
function describeBody(failure: BodyFailure): PublicFailure | undefined {
  if (failure.failure === "payload_too_large") return undefined;
  const description = failure.failure === "not_utf8"
    ? "The body is not UTF-8 text."
    : describeFailure(failure)[2];
  return { failure: "token", fault: { code: "invalid_request", description, byHeader: false } };
}
