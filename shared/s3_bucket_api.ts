/**
 * Sends signed requests to the API of S3, and reads its XML. URLs are path-style, and requests have a Signature Version 4.
 * `s3.ts` makes the operations on objects from these requests.
 *
 * @module
 */
import { AwsClient } from "aws4fetch";
import type { S3Location } from "./s3_location.ts";

/** The access key that signs requests to the service. */
export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * The longest time of one call unless the caller gives another limit, in milliseconds. Sending a part over a slow line
 * takes minutes.
 */
const CALL_MS = 300_000;

/** The options of a call. */
interface ApiCallOptions {
  query?: Record<string, string>;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** The longest time of the call, in milliseconds; `Infinity` for no limit. */
  limitMs?: number;
}

/** Calls the API of a bucket. If the name of the object is empty, the call is about the bucket itself. */
export class BucketApi {
  readonly #bucketUrl: string;
  readonly #signer: AwsClient;
  readonly #fetch: typeof fetch;

  constructor(
    { endpoint, region, bucket, accessKeyId, secretAccessKey }:
      & Omit<S3Location, "prefix">
      & S3Key,
    fetch = globalThis.fetch,
  ) {
    this.#bucketUrl = `${endpoint}/${bucket}`;
    this.#signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
    this.#fetch = fetch;
  }

  /** Sends a request. @throws {Error} with the status and the error code of S3 if the answer is not a success */
  async call(
    method: string,
    object: string,
    { query = {}, body, headers = {}, signal, limitMs = CALL_MS }: ApiCallOptions = {},
  ): Promise<Response> {
    const path = object.split("/").map(encodeURIComponent).join("/");
    const url = new URL(`${this.#bucketUrl}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const request = await this.#signer.sign(url.href, { method, headers, ...body && { body } });
    const limit = limitMs === Infinity ? [] : [AbortSignal.timeout(limitMs)];
    const fetch = this.#fetch;
    const response = await fetch(request, {
      signal: AbortSignal.any([...signal ? [signal] : [], ...limit]),
    });
    if (response.ok) return response;
    const code = elementsIn(await response.text(), "Code")[0] ?? response.statusText;
    throw new Error(`${url.host} answered ${response.status} (${code}) to ${method}`);
  }

  /** Sends a request, and returns the body of the answer. */
  async textOf(method: string, object: string, options: ApiCallOptions): Promise<string> {
    return await (await this.call(method, object, options)).text();
  }

  /** Sends a request, and returns the headers of the answer. The body is not read. */
  async headersOf(method: string, object: string, options?: ApiCallOptions): Promise<Headers> {
    const { headers, body } = await this.call(method, object, options);
    // The body is cancelled, because the connection can serve the next call only when the body has been read or
    // cancelled.
    await body?.cancel();
    return headers;
  }

  /** Reads a list of the bucket page by page, and returns the content of all XML elements called `name` in it. */
  async list(query: Record<string, string>, name: string): Promise<string[]> {
    const contents: string[] = [];
    let position: Record<string, string> = {};
    while (true) {
      const page = await this.textOf("GET", "", { query: { ...query, ...position } });
      contents.push(...elementsIn(page, name));
      if (elementsIn(page, "IsTruncated")[0] !== "true") return contents;
      const next = (element: string) => elementsIn(page, element)[0] ?? "";
      position = "uploads" in query
        ? { "key-marker": next("NextKeyMarker"), "upload-id-marker": next("NextUploadIdMarker") }
        : { "continuation-token": next("NextContinuationToken") };
    }
  }
}

/** Returns the content of all XML elements called `name`. S3 writes elements without attributes. */
export function elementsIn(xml: string, name: string): string[] {
  const matches = xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"));
  return Array.from(matches, ([, text = ""]) => text.includes("<") ? text : unescapeXml(text));
}

/** The entities that S3 writes. `&amp;` comes last, because `&amp;lt;` stands for the text `&lt;`. */
const ENTITIES = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#34;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&amp;": "&",
};

function unescapeXml(text: string): string {
  let unescaped = text;
  for (const [entity, character] of Object.entries(ENTITIES)) {
    unescaped = unescaped.replaceAll(entity, character);
  }
  return unescaped;
}

/** Escapes a text for the content of an XML element. */
export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
