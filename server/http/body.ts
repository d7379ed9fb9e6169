/**
 * Reads and checks the body of a request in the order media type → size → parse → validate (decisions,
 * "Order of work for one API request").
 *
 * @module
 */
import type { z } from "zod";
import { readLines } from "../../shared/lines.ts";
import { quote } from "../runtime/mod.ts";
import { MAX_BODY_BYTES, readText } from "./body_text.ts";
import {
  FORM,
  type Form,
  hasTooManyFields,
  JSON_TYPE,
  MAX_FIELDS,
  mediaType,
  parseForm,
} from "./form.ts";
import { NDJSON } from "./ndjson.ts";
import type { Action, AnyFailure, BodyFailure, Call, Operation, Outcome } from "./operation.ts";

/** The media types of each kind of body. */
const ACCEPTED: Record<Exclude<Action<never>["body"], "none">, readonly string[]> = {
  form: [FORM],
  form_or_json: [JSON_TYPE, FORM],
  json: [JSON_TYPE],
  ndjson: [NDJSON],
};

/**
 * Reads and checks the body of a request, and lets the operation act on it.
 *
 * @returns the operation's result, or why the body was refused
 */
export async function actOnBody<Failure extends AnyFailure>(
  operation: Exclude<Operation<Failure>, { body: "none" }>,
  request: Request,
  call: Call,
): Promise<Outcome<Failure | BodyFailure>> {
  const refuse = (failure: BodyFailure) => operation.describeBody?.(failure) ?? failure;
  const type = mediaType(call.headers.get("content-type"));
  const fault = typeFault(call.headers, ACCEPTED[operation.body]);
  if (fault) return refuse(fault);

  if (operation.body === "ndjson") {
    try {
      return await operation.act(readLines(untilCut(request.body)), call);
    } catch (error) {
      if (error instanceof CutError) return refuse({ failure: "body_cut" });
      throw error;
    }
  }

  const read = await readText(request, MAX_BODY_BYTES);
  if ("failure" in read) {
    const isBrokenJson = read.failure === "not_utf8" && type !== FORM;
    return refuse(isBrokenJson ? { failure: "invalid_json" } : read);
  }
  let value: unknown;
  if (type === FORM) {
    const parsed = formOf(read.text);
    if ("failure" in parsed) return refuse(parsed);
    value = call.form = parsed.form;
  } else {
    try {
      value = JSON.parse(read.text);
    } catch {
      return refuse({ failure: "invalid_json" });
    }
  }
  switch (operation.body) {
    case "form":
      return await operation.act(value as Form, call);
    case "form_or_json":
      return await operation.act(type === FORM ? { form: value as Form } : { json: value }, call);
    case "json": {
      const parsed = operation.schema.safeParse(value);
      if (parsed.success) return await operation.act(parsed.data as never, call);
      const message = explain(parsed.error.issues, value);
      return refuse({ failure: "invalid_request", message });
    }
  }
}

/**
 * Reads the form that a page has sent, whose body is checked as that of an operation is.
 *
 * @returns the form, or why the body was refused
 */
export async function readForm(request: Request): Promise<{ form: Form } | BodyFailure> {
  const fault = typeFault(request.headers, ACCEPTED.form);
  if (fault) return fault;
  const read = await readText(request, MAX_BODY_BYTES);
  return "failure" in read ? read : formOf(read.text);
}

/** Parses a form, if it does not have too many fields (decisions, "Sign-up"). */
function formOf(text: string): { form: Form } | BodyFailure {
  return hasTooManyFields(text, "&") ? TOO_MANY_FIELDS : { form: parseForm(text) };
}

/** Why a form with too many fields is refused. */
export const TOO_MANY_FIELDS: BodyFailure = {
  failure: "invalid_request",
  message: `The form has more than ${MAX_FIELDS} fields; send at most ${MAX_FIELDS}.`,
};

/** Says why a body's media type or coding is refused; `undefined` where they are accepted. */
function typeFault(headers: Headers, accepted: readonly string[]): BodyFailure | undefined {
  const type = mediaType(headers.get("content-type"));
  if (!accepted.includes(type)) return { failure: "unsupported_media_type", accepted };
  const coding = headers.get("content-encoding")?.toLowerCase() || "identity";
  if (coding !== "identity") return { failure: "unsupported_content_encoding" };
}

/**
 * Describes the first fault of a JSON body in a sentence. The messages of the schema say what to send, such
 * as `give 1 to 100 characters`.
 */
function explain(issues: z.core.$ZodIssue[], body: unknown): string {
  const [issue] = issues;
  if (!issue || (issue.path.length === 0 && issue.code === "invalid_type")) {
    return "The body must be a JSON object.";
  }
  if (issue.code === "unrecognized_keys") {
    return `Field ${quote(issue.keys[0])} is not known here; leave it out.`;
  }
  const field = issue.path.join(".");
  const value = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown>)?.[key],
    body,
  );
  return `Field ${quote(field)} is ${quote(value)}; ${issue.message}.`;
}

/** Says that a body was cut. Its cause is the error of the network. */
class CutError extends Error {}

async function* untilCut(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw new CutError("The body was cut", { cause });
  }
}
