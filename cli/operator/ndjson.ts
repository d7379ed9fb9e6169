/**
 * Sends a request, yields the lines of its NDJSON answer while it arrives, and parses such lines. `checked_lines.ts` also
 * checks the lines.
 *
 * @module
 */
import { readAnswer, statusFrom } from "../../shared/api_failure.ts";
import type { Clock } from "../../shared/clock.ts";
import { isNestedTooDeep } from "../../shared/nesting.ts";
import { isObject } from "../../shared/schemas.ts";
import { describeNetworkError, type ExchangeOptions } from "../../shared/send.ts";
import { CliError, EXIT, toOperatorError } from "../errors.ts";
import { cutError } from "./cuts.ts";

/**
 * Sends a request and yields the lines of its NDJSON answer as they arrive, several at a time. It keeps only these lines
 * in memory.
 *
 * @param options.timeout the longest time without a byte of the answer, in milliseconds
 * @param options.onTotal is called with the number of sign-ups, if the answer has the header `X-Total-Count`
 * @throws {CliError} if the answer is not NDJSON, or if it was cut (`cuts.ts`)
 */
export async function* readNdjson(
  request: Request,
  { timeout, clock, fetch = globalThis.fetch, onTotal }: ExchangeOptions & {
    clock: Clock;
    onTotal?: (total: number) => void;
  },
): AsyncGenerator<string[]> {
  const { origin } = new URL(request.url);
  const silence = new SilenceTimer(timeout);
  try {
    silence.restart();
    const response = await fetch(request, { signal: silence.signal, redirect: "manual" });
    if (!isNdjson(response)) throw await toUnexpectedAnswerError(response, request.url, clock);
    const total = response.headers.get("x-total-count") ?? "";
    if (/^\d+$/.test(total)) onTotal?.(Number(total));
    let partialLine = "";
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      // The timer stops while the caller works on the lines, because the service is not silent during this time.
      silence.stop();
      const lines = (partialLine + text).split("\n");
      partialLine = lines.pop() ?? "";
      if (lines.length > 0) yield lines;
      silence.restart();
    }
    if (partialLine !== "") {
      throw cutError(
        `The connection to ${origin} was closed before the answer was complete; check that the service runs`,
      );
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (silence.signal.aborted) {
      throw cutError(
        `Nothing came from ${origin} for ${
          timeout / 1000
        } s; run the command again, or give it more time with --timeout`,
      );
    }
    const fault = `Cannot get a whole answer from ${origin}: ${describeNetworkError(error)}`;
    throw cutError(`${fault}; check that --base-url is right, and that the service runs`);
  } finally {
    silence.stop();
    // Aborts the request, because the caller may have stopped reading before the end of the answer.
    silence.abort();
  }
}

/** A timer that aborts its signal, unless it is restarted before the time has passed. */
class SilenceTimer {
  readonly #controller = new AbortController();
  readonly #timeout: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param timeout the time until the signal aborts, in milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.stop();
    this.#timer = setTimeout(() => this.abort(), this.#timeout);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.#controller.abort();
  }
}

function isNdjson({ status, headers }: Response): boolean {
  const type = headers.get("content-type") ?? "";
  return status === 200 && type.startsWith("application/x-ndjson");
}

/** Makes the error of an answer that is not NDJSON. */
async function toUnexpectedAnswerError(
  response: Response,
  url: string,
  { now }: Clock,
): Promise<CliError> {
  const { status, headers } = response;
  const { error } = readAnswer({ status, headers, body: await response.text() }, url, now());
  if (error) return toOperatorError(error);
  const message = `The answer is JSON, but this program expected NDJSON ${statusFrom(status, url)}`;
  return toOperatorError({ kind: "unexpected", message, status });
}

/**
 * Reads the object on a line of NDJSON.
 *
 * @throws {CliError} if the line is not a JSON object
 */
export function parseLine(line: string): Record<string, unknown> {
  try {
    const value = isNestedTooDeep(line) ? undefined : JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Text that is not JSON leads to the error below.
  }
  throw new CliError(
    "The service sent a line that is not a JSON object; check that --base-url is the address of a waitlist service",
    EXIT.failedCheck,
  );
}
