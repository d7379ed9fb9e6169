import assert from "node:assert/strict";
import { readFileForm } from "../../../server/http/mod.ts";

const LIMIT = 100;

function post(body: BodyInit | null, headers?: Record<string, string>): Request {
  return new Request("http://localhost/", { method: "POST", body, ...headers && { headers } });
}

/** A request with the bytes of a form: Node throws outside of the test if a `FormData` itself is cancelled. */
async function postForm(...fields: [name: string, value: string | File][]): Promise<Request> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type")!;
  return post(await encoded.arrayBuffer(), { "Content-Type": type });
}

Deno.test("readFileForm() returns the first value of each field, and the first file", async () => {
  const request = await postForm(
    ["zone", "Europe/Berlin"],
    ["empty", new File([], "")],
    ["one", new File(["größer"], "liste.csv")],
    ["two", new File(["x"], "other.csv")],
    ["zone", "UTC"],
  );
  const read = await readFileForm(request, LIMIT);
  assert.ok("values" in read);
  assert.equal(read.values.get("zone"), "Europe/Berlin");
  assert.deepEqual(read.file, { name: "liste.csv", bytes: new TextEncoder().encode("größer") });
});

Deno.test("readFileForm() returns no file when no file was chosen, and returns a chosen file that is empty", async () => {
  const none = await readFileForm(await postForm(["file", new File([], "")]), LIMIT);
  assert.ok("values" in none);
  assert.equal(none.file, undefined);
  const empty = await readFileForm(await postForm(["file", new File([], "list.csv")]), LIMIT);
  assert.deepEqual(empty, {
    values: new Map(),
    file: { name: "list.csv", bytes: new Uint8Array() },
  });
});

Deno.test("readFileForm() refuses a file above the limit, whether or not the request has a Content-Length", async () => {
  const tooLarge = { failure: "payload_too_large" };
  const postFile = (size: number) =>
    postForm(["file", new File([new Uint8Array(size)], "list.csv")]);
  assert.ok("file" in await readFileForm(await postFile(LIMIT), LIMIT));
  assert.deepEqual(await readFileForm(await postFile(LIMIT + 1), LIMIT), tooLarge);
  assert.deepEqual(await readFileForm(await postFile(LIMIT + 100_000), LIMIT), tooLarge);
  const declared = post("x".repeat(100_000), {
    "Content-Type": "multipart/form-data; boundary=x",
    "Content-Length": "100000",
  });
  assert.deepEqual(await readFileForm(declared, LIMIT), tooLarge);
  assert.ok(
    declared.bodyUsed,
    "the body was read to its end, so that the browser shows the answer",
  );
});

Deno.test("readFileForm() reads a body above the limit until a deadline at most, and reads nothing of a body above 32 MB", async () => {
  let cancelled = 0;
  /** A request whose body has one chunk and then stops. */
  const postStalled = (length: number) => {
    const chunks = [new Uint8Array(10)];
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk) controller.enqueue(chunk);
        else return new Promise(() => {});
      },
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
    return post(body, {
      "Content-Type": "multipart/form-data; boundary=x",
      "Content-Length": String(length),
    });
  };
  const tooLarge = { failure: "payload_too_large" };
  assert.deepEqual(await readFileForm(postStalled(100_000), LIMIT, { maxDropMs: 1 }), tooLarge);
  assert.equal(cancelled, 1, "the deadline ends the reading");
  const larger = postStalled(32 * 1024 * 1024 + 1);
  assert.deepEqual(await readFileForm(larger, LIMIT), tooLarge);
  assert.equal(larger.bodyUsed, false);
});

Deno.test("readFileForm() refuses media types other than multipart/form-data, and malformed bodies", async () => {
  const accepted = ["multipart/form-data"];
  const other = { failure: "unsupported_media_type", accepted };
  assert.deepEqual(await readFileForm(post(new URLSearchParams({ a: "b" })), LIMIT), other);
  assert.deepEqual(await readFileForm(post(null), LIMIT), other);
  const invalid = {
    failure: "invalid_request",
    message: "The form is not valid multipart/form-data.",
  };
  for (const type of ["multipart/form-data; boundary=x", "multipart/form-data"]) {
    const read = await readFileForm(post("no form", { "Content-Type": type }), LIMIT);
    assert.deepEqual(read, invalid, type);
  }
});

const MULTIPART_TYPE = { "Content-Type": 'multipart/form-data; charset=utf-8; boundary="b"' };

/** A part of a form with the boundary `b`. */
const part = (parameters: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${value}\r\n`;

Deno.test("readFileForm() returns the bytes of a file unchanged, and decodes the escapes in names", async () => {
  const content = '\r\n--\r\n--a\r\n\r\n--"b\n\r';
  const body = part('name="zo%22ne"', "") +
    part('name="file"; filename="&lt;%22ä;.csv"\r\nContent-Type: text/csv', content) + "--b--\r\n";
  assert.deepEqual(await readFileForm(post(body, MULTIPART_TYPE), LIMIT), {
    values: new Map([['zo"ne', ""]]),
    file: { name: '&lt;"ä;.csv', bytes: new TextEncoder().encode(content) },
  });
});

Deno.test("readFileForm() refuses a form that breaks off, has too many parts or has too long headers", async () => {
  const field = part('name="a"', "1");
  const accepted = await readFileForm(post(`${field.repeat(100)}--b--`, MULTIPART_TYPE), LIMIT);
  assert.deepEqual(accepted, { values: new Map([["a", "1"]]) });
  const bodies = {
    "cut in a value": field.slice(0, -4),
    "cut after a value": field,
    "cut in the last boundary": `${field}--b-`,
    "cut in headers": field.slice(0, 20),
    "another boundary": field.replace("--b", "--bc"),
    "text in front": ` ${field}--b--`,
    "a field without a name": `${part("x=y", "1")}--b--`,
    "too many parts": `${field.repeat(101)}--b--`,
    "long headers": `${part(`name="${"a".repeat(9_000)}"`, "1")}--b--`,
  };
  for (const [fault, body] of Object.entries(bodies)) {
    const read = await readFileForm(post(body, MULTIPART_TYPE), LIMIT);
    assert.ok("failure" in read && read.failure === "invalid_request", fault);
  }
});
