import { basicAuthorization, type Credentials } from "../../../shared/environments.ts";
import { type Case, form, json, refuses, refusesMethod, TOO_LARGE } from "./case.ts";

const TOKEN = { operation: "createAccessToken", method: "POST", path: "/api/v1/oauth/token" };
const GRANT = { grant_type: "client_credentials" };

/** A client that no service knows. */
const NOBODY: Credentials = { clientId: "nobody", clientSecret: "not-the-secret" };

/** The token endpoint. */
export const TOKEN_CASES: Case[] = [
  // The access token of this answer is for the cases after it.
  {
    ...TOKEN,
    does: "gives a token to a client that uses HTTP Basic",
    send: ({ credentials }) => basic(credentials, GRANT),
    status: 200,
    shows: "credentials",
  },
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
    ...refuses("a request without grant_type", 400, "invalid_request"),
    send: ({ credentials }) => basic(credentials, {}),
  },
  {
    ...TOKEN,
    ...refuses("another grant_type", 400, "unsupported_grant_type"),
    send: ({ credentials }) => basic(credentials, { grant_type: "password" }),
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    ...refuses("an unknown scope", 400, "invalid_scope"),
    send: ({ credentials }) => basic(credentials, { ...GRANT, scope: "no:such:scope" }),
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    ...refuses("a parameter given twice", 400, "invalid_request"),
    send: () => ({
      body: new URLSearchParams([...Object.entries(GRANT), ...Object.entries(GRANT)]),
    }),
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    ...refuses("JSON", 400, "invalid_request"),
    send: () => json(GRANT),
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
    ...refuses("a wrong secret in the form", 401, "invalid_client"),
    send: () => form({ ...GRANT, client_id: NOBODY.clientId, client_secret: NOBODY.clientSecret }),
    sandboxOnly: true,
  },
  {
    ...TOKEN,
    ...refuses("a body over 64 KB", 413, "payload_too_large"),
    send: () => form({ ...GRANT, filler: TOO_LARGE }),
    sandboxOnly: true,
  },
  { ...TOKEN, ...refusesMethod("GET") },
];

function basic(credentials: Credentials, fields: Record<string, string>) {
  return { headers: { Authorization: basicAuthorization(credentials) }, ...form(fields) };
}
