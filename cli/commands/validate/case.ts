import type { Credentials } from "../../../shared/environments.ts";

/** One call and the answer that it must get. */
export interface Case {
  /** The `operationId` in the document. */
  operation: string;
  /** What the operation does here, as in "getStatus says that the service is up". */
  does: string;
  method: string;
  /** Relative to the environment's base. */
  path: string;
  send?: (access: CaseAccess) => Pick<RequestInit, "headers" | "body">;
  status: number;
  /** The machine code that the body must have. */
  error?: string;
  /** A header and its pattern, where the document says less. */
  header?: [name: string, pattern: RegExp];
  /** Whether the case is left out in production, where fewer calls are permitted. */
  sandboxOnly?: true;
  /** What the service must accept: the credentials, or the access token. */
  shows?: "credentials" | "token";
}

/** What the cases authenticate with. */
export interface CaseAccess {
  credentials: Credentials;
  /** The access token of the first case of the token endpoint. */
  accessToken: string;
}

/** A value that makes every body larger than 64 KB. */
export const TOO_LARGE = "a".repeat(65_536);

/** The case of a request that must be refused with a status and a machine code. */
export function refuses(what: string, status: number, error: string) {
  return { does: `refuses ${what}`, status, error };
}

/** The case of a method that a path does not have. */
export function refusesMethod(method: string) {
  return { method, ...refuses(method, 405, "method_not_allowed") };
}

/** A body of JSON. */
export function json(body: unknown) {
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** A form-encoded body. */
export function form(fields: Record<string, string>) {
  return { body: new URLSearchParams(fields) };
}
