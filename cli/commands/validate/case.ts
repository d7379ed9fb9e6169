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
  /** What a header must look like, beyond the document. */
  header?: [name: string, pattern: RegExp];
  /** Left out in production, where fewer calls may be made. */
  sandboxOnly?: true;
  /** What must be accepted: the credentials, or the token that they got. */
  shows?: "credentials" | "token";
}

/** What the cases authenticate with. */
export interface CaseAccess {
  credentials: Credentials;
  /** From the first case of the token endpoint. */
  accessToken: string;
}

/** One more character than the largest body has, with any field name. */
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
