import { readAnswer, statusFrom } from "../../shared/api_failure.ts";
import type { Clock } from "../../shared/clock.ts";
import { type ExchangeOptions, reasonOf } from "../../shared/send.ts";
import { isNestedTooDeep } from "../../shared/nesting.ts";
import { isObject } from "../../shared/schemas.ts";
import { CliError, EXIT, toOperatorError } from "../errors.ts";

/** The error of an answer that broke off or did not come; asking again may succeed. */
export function cutError(message: string): CliError {
  return new CliError(message, EXIT.cannotConnect);
}

/** Whether an error is a cut, so that the call can be repeated. */
export function isCut(error: unknown): error is CliError {
  return error instanceof CliError && error.exitCode === EXIT.cannotConnect;
}

/**
 * Sends a request and yields the lines of its NDJSON answer, in the batches that they arrive in. The
 * beginning of a line that breaks off is not yielded. Memory holds only the batch that is yielded.
 *
 * @param options.timeout milliseconds within which something more must arrive
 * @param options.onTotal is told how many sign-ups there are, where the answer says it
 * @throws {CliError} for an answer that is no NDJSON, or that breaks off: {@linkcode isCut}
 */
export async function* openLines(
  request: Request,
  { timeout, clock, fetch = globalThis.fetch, onTotal }: ExchangeOptions & {
    clock: Clock;
    onTotal?: (total: number) => void;
  },
): AsyncGenerator<string[]> {
  const { origin } = new URL(request.url);
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, request.signal]);
  let timer = setTimeout(() => silence.abort(), timeout);
  try {
    const response = await fetch(request, { signal, redirect: "manual" });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !type.startsWith("application/x-ndjson")) {
      const { status, headers } = response;
      const answer = { status, headers, body: await response.text() };
      const { error } = readAnswer(answer, request.url, clock.now());
      const message = `The answer is JSON where NDJSON belongs ${statusFrom(status, request.url)}`;
      throw toOperatorError(error ?? { kind: "unexpected", message, status });
    }
    const total = response.headers.get("x-total-count") ?? "";
    if (/^\d+$/.test(total)) onTotal?.(Number(total));
    let rest = "";
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) yield lines;
      timer = setTimeout(() => silence.abort(), timeout);
    }
    if (rest !== "") {
      throw cutError(`The connection to ${origin} was closed in the middle of a line`);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (request.signal.aborted) throw cutError(`The call to ${origin} was ended early`);
    if (silence.signal.aborted) {
      throw cutError(`Nothing came from ${origin} for ${timeout / 1000} s`);
    }
    throw cutError(`Cannot get a whole answer from ${origin}: ${reasonOf(error)}`);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** The object on a line of NDJSON. */
export function parseLine(line: string): Record<string, unknown> {
  try {
    const value = isNestedTooDeep(line) ? undefined : JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // The error below says so.
  }
  throw new CliError(
    "The service sent a line that is not JSON; check --base-url",
    EXIT.failedCheck,
  );
}
