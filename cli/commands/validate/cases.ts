/**
 * The calls of `validate`. The OpenAPI document gives each operation's id, its security, the examples that become bodies,
 * and the status of each error code. The table in this file adds what a document cannot say: the order of the calls, what
 * is wrong in a refused request, and the headers that depend on the request.
 *
 * @module
 */
import type { DescribedOperation } from "../../../shared/contract/description.ts";
import {
  basicAuthorization,
  type Credentials,
  type EnvironmentName,
} from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";

/** The credentials of the caller, and the access token for them. */
export interface ClientAccess {
  credentials: Credentials;
  /** The access token; empty until the token endpoint has issued one. */
  accessToken: string;
}

type RequestParts = Pick<RequestInit, "headers" | "body">;

/** Makes the headers and the body of a request. Throws an `Error` if the document lacks the example for the body. */
type Content = (operation: DescribedOperation, access: ClientAccess) => RequestParts;

/**
 * One call and the expected answer, for the sandbox alone or for both environments. Production gets fewer calls, because
 * its request limit is lower.
 */
type Row = [
  environments: "both" | "sandbox",
  /** What the operation must do, as in "getStatus says that the service is up". */
  does: string,
  /** The expected answer: 200, a redirect to a path such as `/thanks/`, or a refusal with an error code. */
  expected: 200 | string,
  content?: Content | undefined,
  /** The pattern that `WWW-Authenticate` must match, if the document does not say enough about this header. */
  challenge?: RegExp,
];

/** A call and the expected answer, with everything that the document says about them. */
export interface Case {
  /** The id of the operation. */
  operation: string;
  does: string;
  method: string;
  path: string;
  /** Makes the headers and the body. Throws an `Error` if the document lacks the example for the body. */
  content: (access: ClientAccess) => RequestParts;
  /** The expected status; `undefined` if the document has no response with the error code. */
  status: number | undefined;
  /** The expected error code in the body, such as `invalid_request`. */
  code?: string;
  /** The name of a header of the answer, and the pattern that the header must match. */
  header?: [name: string, pattern: RegExp];
  /** The names of the security schemes by which the service must accept this call. */
  security?: string[];
}

/** The credentials of a client that no service has. */
const NOBODY: Credentials = { clientId: "nobody", clientSecret: "not-the-secret" };

const GRANT = "client_credentials";

/** A value with which every body is larger than 64 KB. */
const TOO_LARGE = "a".repeat(65_536);

/** The honeypot field. With this field, the service answers with success and stores nothing. */
const HONEYPOT = { website: "https://honeypot.example" };

/**
 * The calls of each operation, in the order in which they are made. In production, an accepted sign-up has the honeypot
 * filled in, and a refused sign-up has no consent, so that even a faulty service stores nothing.
 */
// deno-fmt-ignore: One call on a line, so that the calls can be compared.
const TABLE: Record<string, [Row, ...Row[]]> = {
  "GET /api/v1": [
    ["both", "lists what the API offers", 200],
  ],
  "GET /api/v1/status": [
    ["both", "says that the service is up", 200],
  ],
  "POST /api/v1/oauth/token": [
    ["both", "gives a token to a client that uses HTTP Basic", 200, basic({ scope: [] })],
    ["sandbox", "gives a token to a client that uses the form", 200, secretInForm()],
    ["both", "refuses a request without grant_type", "invalid_request", basic({ grant_type: [] })],
    ["sandbox", "refuses another grant_type", "unsupported_grant_type", basic({ grant_type: "password" })],
    ["sandbox", "refuses an unknown scope", "invalid_scope", basic({ scope: "no:such:scope" })],
    ["sandbox", "refuses a parameter given twice", "invalid_request", form("basic", { grant_type: [GRANT, GRANT] })],
    ["sandbox", "refuses JSON", "invalid_request", text("application/json", `{"grant_type":"${GRANT}"}`)],
    ["both", "challenges a wrong secret in HTTP Basic", "invalid_client", basic({}, NOBODY), /^Basic /],
    ["sandbox", "refuses a wrong secret in the form", "invalid_client", secretInForm(NOBODY)],
    ["sandbox", "refuses a body over 64 KB", "payload_too_large", form("basic", { filler: TOO_LARGE })],
  ],
  "GET /api/v1/waitlist/stats": [
    ["both", "counts sign-ups", 200, bearer()],
    ["both", "challenges a request without a token", "unauthorized", undefined, /error="unauthorized"/],
    ["both", "challenges a token that is not valid", "invalid_token", bearer("no.access.token"), /error="invalid_token"/],
  ],
  "POST /api/v1/waitlist": [
    ["both", "accepts JSON with the honeypot filled in", 200, json("minimal", HONEYPOT)],
    ["both", "sends a form with the honeypot filled in to the thanks page", "/thanks/", form("minimal", HONEYPOT)],
    ["sandbox", "accepts JSON with every field", 200, json("full", { website: "" })],
    ["sandbox", "sends a German form to the German thanks page", "/de/danke/", form("browser", { website: "" })],
    ["sandbox", "refuses malformed JSON", "invalid_json", text("application/json", '{"email":')],
    ["both", "refuses an unknown field", "invalid_request", json("minimal", { consent: false, name: "Ada" })],
    ["sandbox", "refuses an unknown source", "invalid_request", json("minimal", { source: "footer" })],
    ["sandbox", "refuses a form field given twice", "invalid_request", form("minimal", { lang: ["de", "en"] })],
    ["sandbox", "refuses a body over 64 KB", "payload_too_large", json("minimal", { website: TOO_LARGE })],
    ["both", "refuses another media type", "unsupported_media_type", text("text/plain", "ada@example.com")],
    ["both", "refuses an address that is not valid", "invalid_email", json("minimal", { consent: false, email: "no address" })],
    ["sandbox", "refuses a sign-up without consent", "consent_required", json("minimal", { consent: false })],
  ],
  "POST /api/waitlist": [
    ["both", "accepts JSON with the honeypot filled in", 200, json("minimal", HONEYPOT)],
    ["both", "refuses a sign-up without consent", "consent_required", json("minimal", { consent: false })],
    ["sandbox", "sends a form to the thanks page", "/thanks/", form("minimal")],
    ["sandbox", "refuses another media type", "unsupported_media_type", text("text/plain", "ada@example.com")],
  ],
};

/** Makes a JSON body from the document's example of the given name, and replaces the fields in `change`. */
function json(example: string, change: Record<string, unknown> = {}): Content {
  const type = "application/json";
  return (operation) => ({
    headers: { "Content-Type": type },
    body: JSON.stringify({ ...exampleOf(operation, type, example), ...change }),
  });
}

/**
 * Makes a form-encoded body from the document's example of the given name, and replaces the fields in `change`. A list
 * of values repeats the field, and an empty list leaves the field out.
 */
function form(example: string, change: Record<string, string | string[]> = {}): Content {
  return (operation) => {
    const fields = {
      ...exampleOf(operation, "application/x-www-form-urlencoded", example),
      ...change,
    };
    const pairs = Object.entries(fields)
      .flatMap(([name, values]) => [values].flat().map((value) => [name, String(value)]));
    return { body: new URLSearchParams(pairs) };
  };
}

/** Makes a token request with the credentials of `client` in HTTP Basic, or with those of `access` by default. */
function basic(change: Record<string, string | string[]>, client?: Credentials): Content {
  return (operation, access) => ({
    ...form("basic", change)(operation, access),
    headers: { Authorization: basicAuthorization(client ?? access.credentials) },
  });
}

/** Makes a token request with the credentials of `client` in the form, or with those of `access` by default. */
function secretInForm(client?: Credentials): Content {
  return (operation, access) => {
    const { clientId, clientSecret } = client ?? access.credentials;
    const secret = { client_id: clientId, client_secret: clientSecret };
    return form("post", secret)(operation, access);
  };
}

/**
 * Makes a request with an access token and without a body. Without `token`, the access token is the one that the token
 * endpoint has issued.
 */
function bearer(token?: string): Content {
  return (_, { accessToken }) => ({
    headers: { Authorization: `Bearer ${token ?? accessToken}` },
  });
}

function text(type: string, body: string): Content {
  return () => ({ headers: { "Content-Type": type }, body });
}

function exampleOf({ requestExamples }: DescribedOperation, type: string, name: string): object {
  const example = requestExamples[type]?.[name];
  if (isObject(example)) return example;
  throw new Error(`the document has no example '${name}' of ${type}`);
}

/** Returns the calls for those operations of `TABLE` that the document has, in the order of `TABLE`. */
export function casesFor(operations: DescribedOperation[], environment: EnvironmentName): Case[] {
  return Object.entries(TABLE).flatMap(([name, rows]) => {
    const operation = operations.find((described) => nameOf(described) === name);
    if (!operation) return [];
    return callsOf(operation, rows)
      .filter(({ row: [environments] }) => environments === "both" || environment === "sandbox")
      .map(({ method, row }) => {
        const called = operations.find((described) =>
          described.path === operation.path && described.method === method
        );
        return toCase(row, { ...operation, method, id: called?.id ?? operation.id });
      });
  });
}

/** A row with the method of its call. */
interface MethodCall {
  method: string;
  row: Row;
}

/**
 * Adds to the rows of an operation the calls that the table does not have: a call with a method that the path does not
 * accept and, for an operation of GET, calls of HEAD. One call of HEAD repeats the first call of GET, which is
 * accepted. If the table has a second call of GET, which is refused, a call of HEAD repeats this call as well.
 */
function callsOf({ method, deprecated }: DescribedOperation, rows: [Row, ...Row[]]): MethodCall[] {
  const other = method === "GET" ? "POST" : "GET";
  const otherCall: MethodCall = {
    method: other,
    row: [deprecated ? "sandbox" : "both", `refuses ${other}`, "method_not_allowed"],
  };
  const [first, ...others] = rows.map((row) => ({ method, row }));
  if (method !== "GET") return [first!, ...others, otherCall];
  const [[environments, , expected, content], refused] = rows;
  const head: MethodCall = {
    method: "HEAD",
    row: [environments, "answers headers alone", expected, content],
  };
  return [first!, head, ...others, ...refused ? [refusedHead(refused)] : [], otherCall];
}

function refusedHead([, does, expected, content]: Row): MethodCall {
  return { method: "HEAD", row: ["sandbox", does, expected, content] };
}

/**
 * Makes a case from a row of the table.
 *
 * @param operation the operation of the row, but with the id and the method of the call, which may be HEAD
 */
function toCase([, does, expected, content, challenge]: Row, operation: DescribedOperation): Case {
  const { id, method, path, security, statusByCode } = operation;
  const common = {
    operation: id,
    does,
    method,
    path,
    content: (access: ClientAccess) => content?.(operation, access) ?? {},
  };
  if (expected === 200) {
    return { ...common, status: 200, security };
  }
  if (expected.startsWith("/")) {
    return { ...common, status: 303, header: ["location", new RegExp(`^${expected}$`)] };
  }
  const status = statusByCode.get(expected);
  // A case for HEAD has no error code, because an answer to HEAD has no body.
  if (method === "HEAD") return { ...common, status };
  return {
    ...common,
    status,
    code: expected,
    ...challenge && { header: ["www-authenticate", challenge] },
  };
}

/**
 * Returns a sentence for each operation that only the document has, and for each operation that only the table of calls
 * has.
 */
export function coverageFaults(operations: DescribedOperation[]): string[] {
  const described = new Set(operations.map(nameOf));
  const called = new Set(
    Object.keys(TABLE).flatMap((name) =>
      name.startsWith("GET ") ? [name, name.replace("GET", "HEAD")] : [name]
    ),
  );
  return [
    ...[...called].filter((name) => !described.has(name))
      .map((name) => `the document does not describe ${name}`),
    ...[...described].filter((name) => !called.has(name))
      .map((name) => `this program has no case for ${name}`),
  ];
}

/** Returns the name of an operation in the table and in messages, such as `GET /api/v1/status`. */
function nameOf({ method, path }: Pick<DescribedOperation, "method" | "path">): string {
  return `${method} ${path}`;
}
