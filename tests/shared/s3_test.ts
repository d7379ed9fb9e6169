import assert from "node:assert/strict";
import { createObjectStore } from "../../shared/s3.ts";

const LOCATION = {
  kind: "s3",
  endpoint: "https://s3.example",
  region: "us-east-1",
  bucket: "backups",
  prefix: "waitlist/",
  accessKeyId: "id",
  secretAccessKey: "secret",
} as const;

Deno.test("createObjectStore() limits the time of each call, but not of reading an object", async () => {
  const limits: number[] = [];
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (milliseconds) => {
    limits.push(milliseconds);
    return new AbortController().signal;
  };
  try {
    const answer = () => Promise.resolve(new Response("content", { headers: { ETag: "tag" } }));
    const store = createObjectStore(LOCATION, { fetch: answer });
    await store.size("a");
    assert.deepEqual(limits.splice(0), [300_000]);
    const [bytes] = await Array.fromAsync(store.read("a", 3));
    assert.equal(new TextDecoder().decode(bytes), "content");
    assert.deepEqual(limits, [], "a restore reads an object for as long as it sends its lines");
  } finally {
    AbortSignal.timeout = timeout;
  }
});
