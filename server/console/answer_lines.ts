/**
 * Reads the NDJSON answers of operations.
 *
 * @module
 */
import { readLines } from "../../shared/lines.ts";

/** The longest line that is read, in bytes: the result of a recount may name many counters. */
const MAX_ANSWER_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Reads the lines of an operation's answer as text, those that arrive together at once. Who ends the loop early ends
 * the operation.
 *
 * @throws where the answer breaks off
 */
export async function* readAnswerBatches(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string[]> {
  for await (const lines of readLines(body, MAX_ANSWER_LINE_BYTES)) {
    yield lines.map((line) => {
      if ("text" in line) return line.text;
      throw new Error(`Line ${line.number} of the operator's API is ${line.fault}`);
    });
  }
}

/** Reads the values of an operation's answer, as {@linkcode readAnswerBatches} does. */
export async function* readAnswerLines<Value>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Value> {
  for await (const lines of readAnswerBatches(body)) {
    for (const line of lines) yield JSON.parse(line);
  }
}

/**
 * Waits for the end of an answer.
 *
 * @returns its values, of which the last says that the answer is complete; `undefined` where the answer broke off, of
 * which the log tells
 */
export async function readToEnd<Value>(
  body: ReadableStream<Uint8Array>,
): Promise<Value[] | undefined> {
  let values: (Value & { complete?: boolean })[];
  try {
    values = await Array.fromAsync(readAnswerLines(body));
  } catch {
    return undefined;
  }
  return values.at(-1)?.complete === true ? values : undefined;
}
