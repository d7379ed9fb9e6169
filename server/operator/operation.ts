import { z } from "zod";
import { type Line, readLines } from "../../shared/lines.ts";
import { type BodyFault, MAX_BODY_BYTES, readText } from "../http/body.ts";
import { JSON_TYPE, mediaType } from "../http/media_type.ts";
import { NDJSON } from "../http/ndjson.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import type { OpenKv } from "../store/open.ts";
import type { OperatorFailure } from "./failure.ts";
import { explain } from "./explain.ts";

/** What the operations work with. */
export interface OperatorParts extends OpenKv {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  random: RandomBytes;
  /** Resolves once the process goes by a client or root key that has been changed in KV. */
  credentialsChanged: () => Promise<void>;
}

/** A request whose key, limit, path and method have been checked. */
export interface OperatorCall {
  request: Request;
  /** What stands in the path's `{…}`, as it was sent. */
  parameters: Record<string, string>;
}

/**
 * What an operation answers: JSON, a stream of NDJSON in batches of lines or their text, with the number
 * of the sign-ups that it goes through, or a failure.
 */
export type Outcome =
  | { json: unknown; status?: 200 | 201 }
  | { lines: AsyncIterable<readonly unknown[] | string>; total: number | undefined }
  | OperatorFailure;

/** Answers a call. */
export type Operation = (call: OperatorCall) => Promise<Outcome>;

/** Makes an operation. */
export type CreateOperation = (parts: OperatorParts) => Operation;

const BODY_FAILURES = {
  too_large: "payload_too_large",
  not_utf8: "invalid_json",
  incomplete: "body_cut",
} as const satisfies Record<BodyFault, OperatorFailure["failure"]>;

/** An operation that takes a JSON body of at most 64 KB: media type → size → parse → validate → act. */
export function takingJson<Body>(
  schema: z.ZodType<Body>,
  act: (body: Body, call: OperatorCall) => Promise<Outcome>,
): Operation {
  return async (call) => {
    const { request } = call;
    if (mediaType(request.headers.get("content-type")) !== JSON_TYPE) {
      return { failure: "unsupported_media_type", accepted: JSON_TYPE };
    }
    const body = await readText(request, MAX_BODY_BYTES);
    if ("fault" in body) return { failure: BODY_FAILURES[body.fault] };
    let value: unknown;
    try {
      value = JSON.parse(body.text);
    } catch {
      return { failure: "invalid_json" };
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return await act(parsed.data, call);
    return { failure: "invalid_request", message: explain(parsed.error.issues, value) };
  };
}

/** An operation that takes an empty JSON object. */
export function takingNothing(act: (call: OperatorCall) => Promise<Outcome>): Operation {
  return takingJson(z.strictObject({}), (_body, call) => act(call));
}

/**
 * An operation that takes NDJSON of any length, one line of it at most 64 KB. What it has done by the
 * time that a body is cut stays done.
 */
export function takingLines(
  act: (lines: AsyncGenerator<Line[]>, call: OperatorCall) => Promise<Outcome>,
): Operation {
  return async (call) => {
    const { request } = call;
    if (mediaType(request.headers.get("content-type")) !== NDJSON) {
      return { failure: "unsupported_media_type", accepted: NDJSON };
    }
    try {
      return await act(readLines(untilCut(request.body)), call);
    } catch (error) {
      if (!(error instanceof CutError)) throw error;
      return { failure: "body_cut" };
    }
  };
}

/** A body was cut; what it broke off with is of the network. */
class CutError extends Error {}

async function* untilCut(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw new CutError("The body was cut", { cause });
  }
}
