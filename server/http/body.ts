/**
 * Gives the parsed body of a request to an operation: checks the media type of the body, lets `read_body.ts` read the
 * text, and parses the text. @module
 */
import { readLines } from "../../shared/lines.ts";
import { NDJSON } from "./answer.ts";
import { FORM, type Form, hasTooManyFields, parseForm, TOO_MANY_FIELDS } from "./form.ts";
import type { Action, AnyFailure, BodyFailure, Call, Operation, Outcome } from "./operation.ts";
import { readText } from "./read_body.ts";
import { mediaType } from "./request.ts";

/** The accepted media types, by the kind of body that an operation accepts. */
const ACCEPTED_TYPES: Record<Exclude<Action<never>["body"], "none">, readonly string[]> = {
  form: [FORM],
  form_or_json: ["application/json", FORM],
  json: ["application/json"],
  ndjson: [NDJSON],
};

/**
 * Reads the body of a request, and calls the operation with the parsed body. If the body is refused, gives the failure.
 */
export async function actOnBody<Failure extends AnyFailure>(
  operation: Exclude<Operation<Failure>, { body: "none" }>,
  request: Request,
  call: Call,
): Promise<Outcome<Failure>> {
  const refuse = (failure: BodyFailure) => operation.onRefusedBody?.(failure) ?? failure;
  const type = mediaType(call.headers.get("content-type"));
  const typeFailure = findTypeFailure(type, call.headers, ACCEPTED_TYPES[operation.body]);
  if (typeFailure) return refuse(typeFailure);

  switch (operation.body) {
    case "ndjson":
      try {
        return await operation.act(readLines(chunksOf(request.body)), call);
      } catch (error) {
        if (error instanceof CutBodyError) return refuse({ failure: "body_cut" });
        throw error;
      }
    case "json": {
      const body = await readJson(request);
      return await ("failure" in body ? refuse(body) : operation.act(body.json, call));
    }
    case "form": {
      const body = await readFormText(request);
      if ("failure" in body) return refuse(body);
      call.form = body.form;
      return await operation.act(body.form, call);
    }
    case "form_or_json": {
      const body = await (type === FORM ? readFormText(request) : readJson(request));
      if ("failure" in body) return refuse(body);
      if ("form" in body) call.form = body.form;
      return await operation.act(body, call);
    }
  }
}

/** Reads the form that a page posted. The checks are the same as for an operation whose `body` is `form`. */
export async function readForm(request: Request): Promise<{ form: Form } | BodyFailure> {
  const { headers } = request;
  const type = mediaType(headers.get("content-type"));
  const typeFailure = findTypeFailure(type, headers, ACCEPTED_TYPES.form);
  return typeFailure ?? await readFormText(request);
}

async function readFormText(request: Request): Promise<{ form: Form } | BodyFailure> {
  const body = await readText(request);
  if ("failure" in body) return body;
  return hasTooManyFields(body.text, "&") ? TOO_MANY_FIELDS : { form: parseForm(body.text) };
}

async function readJson(request: Request): Promise<{ json: unknown } | BodyFailure> {
  const body = await readText(request);
  if ("failure" in body) {
    return body.failure === "not_utf8" ? { failure: "invalid_json" } : body;
  }
  try {
    return { json: JSON.parse(body.text) };
  } catch {
    return { failure: "invalid_json" };
  }
}

/** Gives the failure of a body whose media type is not accepted, or which has a content coding. */
function findTypeFailure(
  type: string,
  headers: Headers,
  accepted: readonly string[],
): BodyFailure | undefined {
  if (!accepted.includes(type)) return { failure: "unsupported_media_type", accepted };
  const coding = headers.get("content-encoding")?.toLowerCase() || "identity";
  return coding === "identity" ? undefined : { failure: "unsupported_content_encoding" };
}

/** The error of a body that did not arrive completely. */
class CutBodyError extends Error {}

/** Gives the chunks of a body. @throws a {@linkcode CutBodyError} if the body does not arrive completely */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw new CutBodyError("The body was cut", { cause });
  }
}
