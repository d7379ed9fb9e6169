/**
 * Makes the headers and the bodies of the requests of `validate`: credentials, access tokens, JSON, and forms. Bodies are
 * made from the examples in the OpenAPI document. `cases.ts` has the table of the requests.
 *
 * @module
 */
import type { DescribedOperation } from "../../../shared/contract/description.ts";
import { basicAuthorization, type Credentials } from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";

/** The credentials of the caller, and the access token for them. */
export interface ClientAccess {
  credentials: Credentials;
  /** The access token; empty until the token endpoint has issued one. */
  accessToken: string;
}

/** The headers and the body of a request. */
export type RequestContent = Pick<RequestInit, "headers" | "body">;

/** Makes the headers and the body of a request. Throws an `Error` if the document lacks the example for the body. */
export type ContentMaker = (operation: DescribedOperation, access: ClientAccess) => RequestContent;

/** Makes a JSON body from the document's example of the given name, and replaces the fields in `change`. */
export function jsonBody(example: string, change: Record<string, unknown> = {}): ContentMaker {
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
export function formBody(
  example: string,
  change: Record<string, string | string[]> = {},
): ContentMaker {
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

/**
 * Makes a token request with credentials in HTTP Basic: those of `client` or, without `client`, those of the caller.
 */
export function basicAuth(
  change: Record<string, string | string[]>,
  client?: Credentials,
): ContentMaker {
  return (operation, access) => ({
    ...formBody("basic", change)(operation, access),
    headers: { Authorization: basicAuthorization(client ?? access.credentials) },
  });
}

/**
 * Makes a token request with credentials in the form body: those of `client` or, without `client`, those of the caller.
 */
export function secretInForm(client?: Credentials): ContentMaker {
  return (operation, access) => {
    const { clientId, clientSecret } = client ?? access.credentials;
    const secret = { client_id: clientId, client_secret: clientSecret };
    return formBody("post", secret)(operation, access);
  };
}

/**
 * Makes a request with an access token and without a body. Without `token`, the access token is the one that the token
 * endpoint has issued.
 */
export function bearerAuth(token?: string): ContentMaker {
  return (_, { accessToken }) => ({
    headers: { Authorization: `Bearer ${token ?? accessToken}` },
  });
}

/** Makes a request with a body of a media type. */
export function textBody(type: string, body: string): ContentMaker {
  return () => ({ headers: { "Content-Type": type }, body });
}

/** Returns the document's example of the given media type and name. */
function exampleOf({ requestExamples }: DescribedOperation, type: string, name: string): object {
  const example = requestExamples[type]?.[name];
  if (isObject(example)) return example;
  throw new Error(`the document has no example '${name}' of ${type}`);
}
