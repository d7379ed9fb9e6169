/**
 * Reads and writes objects under one prefix of a bucket, in any service with the API of S3. Uploads are multipart,
 * because the length of an object is not known when its upload begins. An object exists only when all of its parts have
 * been uploaded. `s3_bucket_api.ts` sends the requests.
 *
 * @module
 */
import { BucketApi, elementsIn, escapeXml, type S3Key } from "./s3_bucket_api.ts";
import type { S3Location } from "./s3_location.ts";

/**
 * The size of one part of an upload, in bytes. S3 accepts at most 10,000 parts of at least 5 MiB each (the last part
 * may be smaller), so with this size an object can have about 80 GiB.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** The longest time for cancelling a failed upload, in milliseconds. */
const CANCEL_MS = 5_000;

/**
 * The objects under a prefix of a bucket. The names that the methods take and return do not contain the prefix. Every
 * method throws an `Error` if a call fails. If the service has answered, the message has the status and the error code
 * of the answer.
 */
export interface ObjectStore {
  /** Lists the names of the objects. A name with a further `/` is left out. */
  names: () => Promise<string[]>;
  /** Returns the size of an object, in bytes. */
  size: (name: string) => Promise<number>;
  /** Reads an object, from the byte at position `from` on; from the beginning by default. */
  read: (name: string, from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Writes an object part by part, and returns its size in bytes. */
  write: (
    name: string,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<number>;
  /** Deletes an object. */
  remove: (name: string) => Promise<void>;
  /**
   * Cancels unfinished uploads, because the stored parts cost money.
   *
   * @param before cancels only uploads that began before this time, in milliseconds since 1970
   */
  clean: (before: number) => Promise<void>;
}

/**
 * Makes the store of the objects under a prefix.
 *
 * @param options.fetch the `fetch` for all calls; the runtime's own by default
 */
export function createObjectStore(
  { prefix, ...bucket }: S3Location & S3Key,
  options: { fetch?: typeof fetch } = {},
): ObjectStore {
  const api = new BucketApi(bucket, options.fetch);
  return {
    async names() {
      const keys = await api.list({ "list-type": "2", delimiter: "/", prefix }, "Key");
      return keys.map((key) => key.slice(prefix.length));
    },
    async size(name) {
      return Number((await api.headersOf("HEAD", prefix + name)).get("Content-Length"));
    },
    async *read(name, from = 0) {
      const headers = from > 0 ? { Range: `bytes=${from}-` } : {};
      // Reading has no time limit, because a restore reads slowly: it sends the lines to the service while it reads the
      // object.
      const { body } = await api.call("GET", prefix + name, { headers, limitMs: Infinity });
      yield* body ?? [];
    },
    write: (name, content, signal) => upload(api, { object: prefix + name, content, signal }),
    async remove(name) {
      await api.headersOf("DELETE", prefix + name);
    },
    async clean(before) {
      for (const uploadXml of await api.list({ uploads: "", prefix }, "Upload")) {
        const [object = ""] = elementsIn(uploadXml, "Key");
        const [uploadId = ""] = elementsIn(uploadXml, "UploadId");
        const [beganAt = ""] = elementsIn(uploadXml, "Initiated");
        // An upload is kept if its `Initiated` cannot be read (NaN), because the upload may be under way.
        if (!(Date.parse(beganAt) < before)) continue;
        await api.headersOf("DELETE", object, { query: { uploadId } });
      }
    },
  };
}

/** Uploads an object part by part, and returns its size in bytes. A failed upload is cancelled. */
async function upload(
  api: BucketApi,
  { object, content, signal }: {
    object: string;
    content: AsyncIterable<Uint8Array>;
    signal: AbortSignal;
  },
): Promise<number> {
  const answer = await api.textOf("POST", object, { query: { uploads: "" }, signal });
  const [uploadId = ""] = elementsIn(answer, "UploadId");
  let size = 0;
  const tags: string[] = [];
  try {
    for await (const body of inParts(content)) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const headers = await api.headersOf("PUT", object, { query, body, signal });
      tags.push(headers.get("ETag") ?? "");
      size += body.length;
    }
    const parts = tags.map((tag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const completion = await api.textOf("POST", object, { query: { uploadId }, body, signal });
    // The body is searched for an error, because S3 can send the status 200 first and an error in the body.
    const [code] = completion.includes("<Error>") ? elementsIn(completion, "Code") : [];
    if (code !== undefined) throw new Error(`The upload could not be completed: ${code}`);
  } catch (error) {
    const cancelling = api.headersOf("DELETE", object, { query: { uploadId }, limitMs: CANCEL_MS });
    // A failure to cancel is ignored, because the first error is the one to report. `clean()` cancels the upload later.
    await cancelling.catch(() => {});
    throw error;
  }
  return size;
}

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
      // A new buffer is made, because the upload may still read the previous part, whose bytes must not be overwritten.
      part = new Uint8Array(PART_BYTES);
      length = 0;
      isFirst = false;
    }
  }
  if (isFirst || length > 0) yield part.slice(0, length);
}
