/**
 * Reads and writes objects under one prefix of a bucket, in any service with the API of S3. Addresses are path-style, and
 * calls are signed by version 4. Uploads are multipart, because the length of an object is not known at its beginning;
 * so an object exists only when it is whole.
 *
 * @module
 */
import { AwsClient } from "aws4fetch";
import type { S3Location } from "./s3_location.ts";

/** The key that signs calls. */
export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * The size of one part of an upload, in bytes. S3 takes parts from 5 MiB on, and 10,000 parts at most, so an object can
 * have 80 GiB.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** The longest time of one call, in milliseconds. Sending a part over a slow line takes minutes. */
const CALL_MS = 300_000;

/**
 * Makes the store of the objects under a prefix. The names that its methods take and return do not contain the prefix.
 * Every method throws an `Error` with the service's answer if a call fails.
 *
 * @param options.fetch the `fetch` for all calls; the runtime's own by default
 */
export function createObjectStore(
  { endpoint, region, bucket, prefix, ...key }: S3Location & S3Key,
  options: { fetch?: typeof fetch } = {},
) {
  const signer = new AwsClient({ ...key, region, service: "s3" });
  const addressOf = (object: string) =>
    `${endpoint}/${bucket}/${object.split("/").map(encodeURIComponent).join("/")}`;

  async function call(
    method: string,
    object: string,
    { query = {}, body, headers = {}, signal, limitMs = CALL_MS }: {
      query?: Record<string, string>;
      body?: BodyInit;
      headers?: Record<string, string>;
      signal?: AbortSignal | undefined;
      /** The longest time of the call, in milliseconds; `Infinity` for no limit. */
      limitMs?: number;
    } = {},
  ): Promise<Response> {
    const address = new URL(addressOf(object));
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const request = await signer.sign(address.href, { method, headers, ...body && { body } });
    const ends = [signal ?? [], limitMs === Infinity ? [] : AbortSignal.timeout(limitMs)].flat();
    const response = await (options.fetch ?? fetch)(request, { signal: AbortSignal.any(ends) });
    if (response.ok) return response;
    const code = elements(await response.text(), "Code")[0] ?? response.statusText;
    throw new Error(`${new URL(endpoint).host} answered ${response.status} (${code}) to ${method}`);
  }

  const text = async (...given: Parameters<typeof call>) => await (await call(...given)).text();

  async function headersOf(...given: Parameters<typeof call>): Promise<Headers> {
    const { headers, body } = await call(...given);
    // The body is cancelled, because the connection can serve the next call only when the body has been read or
    // cancelled.
    await body?.cancel();
    return headers;
  }

  /** Reads a list page by page, and returns the content of each XML element with a name. */
  async function list(query: Record<string, string>, name: string): Promise<string[]> {
    const found: string[] = [];
    for (let more: Record<string, string> = {};;) {
      const page = await text("GET", "", { query: { ...query, ...more, prefix } });
      found.push(...elements(page, name));
      if (elements(page, "IsTruncated")[0] !== "true") return found;
      const next = (element: string) => elements(page, element)[0] ?? "";
      more = "uploads" in query
        ? { "key-marker": next("NextKeyMarker"), "upload-id-marker": next("NextUploadIdMarker") }
        : { "continuation-token": next("NextContinuationToken") };
    }
  }

  return {
    /** Lists the names of all objects. */
    async names(): Promise<string[]> {
      const keys = await list({ "list-type": "2", "delimiter": "/" }, "Key");
      return keys.map((key) => key.slice(prefix.length));
    },
    /** Returns the size of an object, in bytes. */
    async size(name: string): Promise<number> {
      return Number((await headersOf("HEAD", prefix + name)).get("Content-Length"));
    },
    /** Reads an object from a position on, in bytes. */
    async *read(name: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const headers = from > 0 ? { Range: `bytes=${from}-` } : {};
      const { body } = await call("GET", prefix + name, { headers, limitMs: Infinity });
      yield* body ?? [];
    },
    /** Writes an object part by part, and returns its size in bytes. */
    async write(
      name: string,
      content: AsyncIterable<Uint8Array>,
      signal: AbortSignal,
    ): Promise<number> {
      const object = prefix + name;
      const begun = await text("POST", object, { query: { uploads: "" }, signal });
      const [uploadId = ""] = elements(begun, "UploadId");
      let size = 0;
      const tags: string[] = [];
      try {
        for await (const body of inParts(content)) {
          const query = { partNumber: String(tags.length + 1), uploadId };
          const headers = await headersOf("PUT", object, { query, body, signal });
          tags.push(headers.get("ETag") ?? "");
          size += body.length;
        }
        const parts = tags.map((tag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`
        );
        const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
        const done = await text("POST", object, { query: { uploadId }, body, signal });
        // The body is searched for an error, because S3 can send the status 200 first and an error in the body.
        const [code] = done.includes("<Error>") ? elements(done, "Code") : [];
        if (code !== undefined) throw new Error(`The upload could not be completed: ${code}`);
      } catch (error) {
        await headersOf("DELETE", object, { query: { uploadId }, limitMs: 5_000 }).catch(() => {});
        throw error;
      }
      return size;
    },
    /** Deletes an object. */
    async remove(name: string): Promise<void> {
      await headersOf("DELETE", prefix + name);
    },
    /**
     * Cancels unfinished uploads, because the stored parts cost money.
     *
     * @param before cancels only uploads that began before this time, in milliseconds since 1970
     */
    async clean(before: number): Promise<void> {
      for (const upload of await list({ uploads: "" }, "Upload")) {
        const [[object = ""], [uploadId = ""], [begun = ""]] = ["Key", "UploadId", "Initiated"]
          .map((name) => elements(upload, name)) as [string[], string[], string[]];
        if (Date.parse(begun) < before) await headersOf("DELETE", object, { query: { uploadId } });
      }
    },
  };
}

/** Returns the content of each XML element with a name. S3 writes elements without attributes. */
function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"));
  return Array.from(found, ([, text = ""]) => text.includes("<") ? text : unescapeXml(text));
}

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'" };

function unescapeXml(text: string): string {
  return Object.entries({ ...ENTITIES, "&#34;": '"', "&amp;": "&" })
    .reduce((all, [entity, character]) => all.replaceAll(entity, character), text);
}

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Gathers bytes into parts of {@linkcode PART_BYTES}. It yields at least one part, because an upload needs a part. */
async function* inParts(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(PART_BYTES);
  let length = 0;
  let isFirst = true;
  for await (let bytes of content) {
    while (bytes.length > 0) {
      const piece = bytes.subarray(0, PART_BYTES - length);
      part.set(piece, length);
      length += piece.length;
      bytes = bytes.subarray(piece.length);
      if (length < PART_BYTES) continue;
      yield part;
      // The buffer is new, because the previous part may still be read by the upload, and its bytes must not be
      // overwritten.
      part = new Uint8Array(PART_BYTES);
      length = 0;
      isFirst = false;
    }
  }
  if (isFirst || length > 0) yield part.slice(0, length);
}
