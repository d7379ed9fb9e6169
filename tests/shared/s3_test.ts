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

/** The limit of a call, in milliseconds. Nothing else in this project has the same limit. */
const CALL_MS = 300_000;

Deno.test("createObjectStore() ends each call after a time-out, and sets no time-out for reading the body of an object", async () => {
  let limited = 0;
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (milliseconds) => {
    if (milliseconds !== CALL_MS) return timeout.call(AbortSignal, milliseconds);
    limited++;
    return new AbortController().signal;
  };
  try {
    const answer = () => Promise.resolve(new Response("content"));
    const store = createObjectStore(LOCATION, { fetch: answer });
    await store.size("a");
    assert.equal(limited, 1);
    const [bytes] = await Array.fromAsync(store.read("a", 3));
    assert.equal(new TextDecoder().decode(bytes), "content");
    assert.equal(limited, 1, "a restore reads an object for as long as it sends its lines");
  } finally {
    AbortSignal.timeout = timeout;
  }
});

Deno.test("clean() cancels an old unfinished upload, and keeps a new upload and an upload whose start time cannot be read", async () => {
  const upload = (id: string, initiated: string) =>
    `<Upload><Key>waitlist/a</Key><UploadId>${id}</UploadId>${initiated}</Upload>`;
  const list = [
    upload("old", "<Initiated>2026-05-01T10:00:00.000Z</Initiated>"),
    upload("new", "<Initiated>2026-05-01T12:00:00.000Z</Initiated>"),
    upload("unreadable", "<Initiated>yesterday</Initiated>"),
    upload("absent", ""),
  ];
  const cancelled: (string | null)[] = [];
  const fetch = (input: RequestInfo | URL) => {
    const { method, url } = new Request(input);
    if (method === "GET") return Promise.resolve(new Response(list.join("")));
    cancelled.push(new URL(url).searchParams.get("uploadId"));
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  await createObjectStore(LOCATION, { fetch }).clean(Date.parse("2026-05-01T11:00:00.000Z"));
  assert.deepEqual(cancelled, ["old"]);
});
