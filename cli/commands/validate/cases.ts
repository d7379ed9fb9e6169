/**
 * The calls of `validate`. The OpenAPI document gives each operation's id, its security, the examples that become bodies,
 * and the status of each error code. The table in this file adds what a document cannot say: the order of the calls, what
 * is wrong in a refused request, and the headers that depend on the request.
 *
 * @module
 */
import type { DescribedOperation } from "../../../shared/contract/description.ts";
import type { Credentials, EnvironmentName } from "../../../shared/environments.ts";
import {
  basicAuth,
  bearerAuth,
  type ClientAccess,
  type ContentMaker,
  formBody,
  jsonBody,
  type RequestContent,
  secretInForm,
  textBody,
} from "./request_content.ts";

/** One call and the expected answer. */
interface TableCall {
  method: string;
  /** Where the call is made. Production gets fewer calls, because its request limit is lower. */
  environments: "both" | "sandbox";
  /** What the operation must do, as in "getStatus says that the service is up". */
  does: string;
  /** The expected answer: 200, a redirect to a path such as `/thanks/`, or a refusal with an error code. */
  expected: 200 | string;
  /** Makes the headers and the body; `undefined` for a call that needs neither. */
  content: ContentMaker | undefined;
  /** The pattern that `WWW-Authenticate` must match, if the document does not say enough about this header. */
  challenge: RegExp | undefined;
}

/** A `TableCall` as a line of the table, without the method. */
type Row = [
  environments: TableCall["environments"],
  does: string,
  expected: TableCall["expected"],
  content?: ContentMaker | undefined,
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
  content: (access: ClientAccess) => RequestContent;
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
const UNKNOWN_CLIENT: Credentials = { clientId: "nobody", clientSecret: "not-the-secret" };

/** The grant by which clients get tokens. */
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
    ["both", "gives a token to a client that uses HTTP Basic", 200, basicAuth({ scope: [] })],
    ["sandbox", "gives a token to a client that uses the form", 200, secretInForm()],
    ["both", "refuses a request without grant_type", "invalid_request", basicAuth({ grant_type: [] })],
    ["sandbox", "refuses another grant_type", "unsupported_grant_type", basicAuth({ grant_type: "password" })],
    ["sandbox", "refuses an unknown scope", "invalid_scope", basicAuth({ scope: "no:such:scope" })],
    ["sandbox", "refuses a parameter given twice", "invalid_request", formBody("basic", { grant_type: [GRANT, GRANT] })],
    ["sandbox", "refuses JSON", "invalid_request", textBody("application/json", `{"grant_type":"${GRANT}"}`)],
    ["both", "challenges a wrong secret in HTTP Basic", "invalid_client", basicAuth({}, UNKNOWN_CLIENT), /^Basic /],
    ["sandbox", "refuses a wrong secret in the form", "invalid_client", secretInForm(UNKNOWN_CLIENT)],
    ["sandbox", "refuses a body over 64 KB", "payload_too_large", formBody("basic", { filler: TOO_LARGE })],
  ],
  "GET /api/v1/waitlist/stats": [
    ["both", "counts sign-ups", 200, bearerAuth()],
    ["both", "challenges a request without a token", "unauthorized", undefined, /error="unauthorized"/],
    ["both", "challenges a token that is not valid", "invalid_token", bearerAuth("no.access.token"), /error="invalid_token"/],
  ],
  "POST /api/v1/waitlist": [
    ["both", "accepts JSON with the honeypot filled in", 200, jsonBody("minimal", HONEYPOT)],
    ["both", "sends a form with the honeypot filled in to the thanks page", "/thanks/", formBody("minimal", HONEYPOT)],
    ["sandbox", "accepts JSON with every field", 200, jsonBody("full", { website: "" })],
    ["sandbox", "sends a German form to the German thanks page", "/de/danke/", formBody("browser", { website: "" })],
    ["sandbox", "refuses malformed JSON", "invalid_json", textBody("application/json", '{"email":')],
    ["both", "refuses an unknown field", "invalid_request", jsonBody("minimal", { consent: false, name: "Ada" })],
    ["sandbox", "refuses an unknown source", "invalid_request", jsonBody("minimal", { source: "footer" })],
    ["sandbox", "refuses a form field given twice", "invalid_request", formBody("minimal", { lang: ["de", "en"] })],
    ["sandbox", "refuses a body over 64 KB", "payload_too_large", jsonBody("minimal", { website: TOO_LARGE })],
    ["both", "refuses another media type", "unsupported_media_type", textBody("text/plain", "ada@example.com")],
    ["both", "refuses an address that is not valid", "invalid_email", jsonBody("minimal", { consent: false, email: "no address" })],
    ["sandbox", "refuses a sign-up without consent", "consent_required", jsonBody("minimal", { consent: false })],
  ],
  "POST /api/waitlist": [
    ["both", "accepts JSON with the honeypot filled in", 200, jsonBody("minimal", HONEYPOT)],
    ["both", "refuses a sign-up without consent", "consent_required", jsonBody("minimal", { consent: false })],
    ["sandbox", "sends a form to the thanks page", "/thanks/", formBody("minimal")],
    ["sandbox", "refuses another media type", "unsupported_media_type", textBody("text/plain", "ada@example.com")],
  ],
};

/** Returns the calls for those operations of `TABLE` that the document has, in the order of `TABLE`. */
export function casesFor(operations: DescribedOperation[], environment: EnvironmentName): Case[] {
  return Object.entries(TABLE).flatMap(([name, rows]) => {
    const operation = operations.find((described) => nameOf(described) === name);
    if (!operation) return [];
    return callsOf(operation, rows)
      .filter(({ environments }) => environments === "both" || environment === "sandbox")
      .map((call) => {
        const called = operations.find((described) =>
          described.path === operation.path && described.method === call.method
        );
        return toCase(call, { ...operation, id: called?.id ?? operation.id });
      });
  });
}

/**
 * Returns the calls of an operation. The table has a row for most of them. This function adds a call with a method that
 * the path does not accept. For an operation of GET, it also adds calls of HEAD, which repeat the first call (accepted)
 * and the second call of GET (refused), if there is a second one.
 */
function callsOf({ method, deprecated }: DescribedOperation, rows: [Row, ...Row[]]): TableCall[] {
  const [acceptedRow, ...otherRows] = rows;
  const accepted = toCall(method, acceptedRow);
  const others = otherRows.map((row) => toCall(method, row));
  const otherMethod = method === "GET" ? "POST" : "GET";
  const withOtherMethod = toCall(otherMethod, [
    deprecated ? "sandbox" : "both",
    `refuses ${otherMethod}`,
    "method_not_allowed",
  ]);
  if (method !== "GET") return [accepted, ...others, withOtherMethod];
  const acceptedHead: TableCall = { ...accepted, method: "HEAD", does: "answers headers alone" };
  const refusedHeads = others.slice(0, 1).map((refused): TableCall => ({
    ...refused,
    method: "HEAD",
    environments: "sandbox",
  }));
  return [accepted, acceptedHead, ...others, ...refusedHeads, withOtherMethod];
}

/** Makes a call from a line of the table. */
function toCall(
  method: string,
  [environments, does, expected, content, challenge]: Row,
): TableCall {
  return { method, environments, does, expected, content, challenge };
}

/**
 * Makes a case from a call of the table.
 *
 * @param operation the operation for which the table has the call, but with the id of the operation that is called. The
 * two ids differ if the method of the call, such as HEAD, is not that of the table.
 */
function toCase(
  { method, does, expected, content, challenge }: TableCall,
  operation: DescribedOperation,
): Case {
  const { id, path, security, statusByCode } = operation;
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
  const describedNames = new Set(operations.map(nameOf));
  const calledNames = new Set(
    Object.keys(TABLE).flatMap((name) =>
      name.startsWith("GET ") ? [name, name.replace("GET", "HEAD")] : [name]
    ),
  );
  return [
    ...[...calledNames].filter((name) => !describedNames.has(name))
      .map((name) => `the document does not describe ${name}`),
    ...[...describedNames].filter((name) => !calledNames.has(name))
      .map((name) => `this program has no case for ${name}`),
  ];
}

/** Returns the name of an operation in the table and in messages, such as `GET /api/v1/status`. */
function nameOf({ method, path }: Pick<DescribedOperation, "method" | "path">): string {
  return `${method} ${path}`;
}
