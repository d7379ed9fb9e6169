import { basicAuthorization, type Credentials } from "../../../shared/environments.ts";
import { type Case, form, json, refusedMethod, TOO_LARGE } from "./case.ts";

const TOKEN = { operation: "createAccessToken", method: "POST", path: "/api/v1/oauth/token" };
const GRANT = { grant_type: "client_credentials" };

/** A client that no service knows. */
const NOBODY: Credentials = { clientId: "nobody", clientSecret: "not-the-secret" };

/** The case whose answer holds the access token for those after it. */
export const TOKEN_CASE: Case = {
  ...TOKEN,
  does: "gives a token to a client that uses HTTP Basic",
  send: ({ credentials }) => basic(credentials, GRANT),
  status: 200,
  shows: "credentials",
};

/** The token endpoint. */
export const TOKEN_CASES: Case[] = [
  TOKEN_CASE,
  {
    ...TOKEN,
    does: "gives a token to a client that uses the form",
    send: ({ credentials: { clientId, clientSecret } }) =>
      form({ ...GRANT, client_id: clientId, client_secret: clientSecret }),
    status: 200,
    shows: "credentials",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "refuses a request without grant_type",
    send: ({ credentials }) => basic(credentials, {}),
    status: 400,
    error: "invalid_request",
  },
  {
    ...TOKEN,
    does: "refuses another grant_type",
    send: ({ credentials }) => basic(credentials, { grant_type: "password" }),
    status: 400,
    error: "unsupported_grant_type",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "refuses an unknown scope",
    send: ({ credentials }) => basic(credentials, { ...GRANT, scope: "no:such:scope" }),
    status: 400,
    error: "invalid_scope",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "refuses a parameter given twice",
    send: () => ({
      body: new URLSearchParams([...Object.entries(GRANT), ...Object.entries(GRANT)]),
    }),
    status: 400,
    error: "invalid_request",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "refuses JSON",
    send: () => json(GRANT),
    status: 400,
    error: "invalid_request",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "challenges a wrong secret in HTTP Basic",
    send: () => basic(NOBODY, GRANT),
    status: 401,
    error: "invalid_client",
    header: ["www-authenticate", /^Basic /],
  },
  {
    ...TOKEN,
    does: "refuses a wrong secret in the form",
    send: () => form({ ...GRANT, client_id: NOBODY.clientId, client_secret: NOBODY.clientSecret }),
    status: 401,
    error: "invalid_client",
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    does: "refuses a body over 64 KB",
    send: () => form({ ...GRANT, filler: TOO_LARGE }),
    status: 413,
    error: "payload_too_large",
    sandboxOnly: true,
  },
  { ...TOKEN, ...refusedMethod("GET") },
];

function basic(credentials: Credentials, fields: Record<string, string>) {
  return { headers: { Authorization: basicAuthorization(credentials) }, ...form(fields) };
}
