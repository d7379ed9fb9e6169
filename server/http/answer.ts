/** The answers that operations of an API give. `respond.ts` makes the responses from them. @module */

/** The media type of NDJSON, which has one JSON value on each line. */
export const NDJSON = "application/x-ndjson";

/** The headers that an answer has besides the headers of every answer. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer with a body in JSON. */
export interface JsonAnswer {
  kind: "json";
  /** The status, 200 by default. */
  status?: number;
  json: string;
  headers?: AnswerHeaders;
  /**
   * Whether calls of the same operation with the same `json` share one response. Such calls must also have the same
   * status and headers, because the response of the first call is copied for the others.
   */
  isShared?: boolean;
  /** The code of the error in `json`. A page uses it to show the error in its own words. */
  errorCode?: string;
  /** The cause of an answer with status 500. It is logged, and never sent. */
  logCause?: string;
}

/** An answer with a page in HTML, for a browser. */
export interface PageAnswer extends Pick<JsonAnswer, "status" | "headers" | "logCause"> {
  kind: "page";
  html: string;
}

/** A redirect with status 303. */
export interface RedirectAnswer {
  kind: "redirect";
  location: string;
  headers?: AnswerHeaders;
}

/** An answer in NDJSON. Each batch is a list of values, or a text of lines that are ready to be sent. */
export interface LinesAnswer {
  kind: "lines";
  lines: AsyncIterable<readonly unknown[] | string>;
  /** The number of records from which the lines are made, for the header `X-Total-Count`. */
  total?: number | undefined;
}

/** An answer of an operation. `no_content` is an answer with status 204. */
export type ApiAnswer =
  | JsonAnswer
  | PageAnswer
  | RedirectAnswer
  | LinesAnswer
  | { kind: "no_content"; headers: AnswerHeaders };

/** Makes the answer with a value as JSON. */
export function jsonAnswer<Value>(value: Value, status = 200): JsonAnswer {
  return { kind: "json", status, json: JSON.stringify(value) };
}

/** Makes one line of JSON for each value. */
export function toNdjson(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
