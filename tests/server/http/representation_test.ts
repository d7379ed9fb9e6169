import assert from "node:assert/strict";
import { serve as serveHttp } from "../../../server/runtime/mod.ts";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { prepareAnswer, representText } from "../../../server/http/representation.ts";
import { serveDocument } from "../../../server/http/representation.ts";

const TEXT = "Grüße an alle, die warten. ".repeat(200);
const HEADERS = { "Vary": "Accept-Encoding", "Cache-Control": "no-cache, no-transform" };

const answer = prepareAnswer(representText(TEXT, "text/html"), { headers: HEADERS });

function request(headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request("https://waitlist.test/", { method, headers });
}

Deno.test("prepareAnswer() sends the same text in every content coding, with a different strong ETag for each coding", async (t) => {
  const decode: Record<string, (bytes: Uint8Array) => Uint8Array> = {
    identity: (bytes) => bytes,
    gzip: gunzipSync,
    br: brotliDecompressSync,
  };
  const etags = new Set<string | null>();
  for (const coding of ["identity", "gzip", "br"]) {
    await t.step(coding, async () => {
      const response = answer(request({ "Accept-Encoding": coding }));
      const bytes = await response.bytes();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(response.headers.get("content-encoding") ?? "identity", coding);
      assert.equal(response.headers.get("content-length"), String(bytes.byteLength));
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      assert.match(response.headers.get("etag") ?? "", /^"[\w-]{22}"$/);
      assert.equal(new TextDecoder().decode(decode[coding]!(bytes)), TEXT);
      etags.add(response.headers.get("etag"));
    });
  }
  assert.equal(etags.size, 3);
});

// Clauses: RFC 9110 §13.1.2 304; RFC 9110 §15.4.5.
Deno.test("prepareAnswer() answers 304 only when If-None-Match contains the ETag of the chosen content coding", async (t) => {
  const etag = answer(request()).headers.get("etag")!;
  for (const method of ["GET", "HEAD"]) {
    const same = [etag, `W/${etag}`, "*", ` ${etag} `, `"other", ${etag}`, `W/"x",${etag},"y"`];
    for (const ifNoneMatch of same) {
      await t.step(`${method}, If-None-Match: ${ifNoneMatch}`, () => {
        const { status, headers, body } = answer(request({ "If-None-Match": ifNoneMatch }, method));
        assert.equal(status, 304);
        assert.deepEqual(Object.fromEntries(headers), {
          "cache-control": "no-cache, no-transform",
          etag,
          vary: "Accept-Encoding",
        });
        assert.equal(body, null);
      });
    }
  }
  const others = ['"other"', 'W/"other"', etag.slice(1, -1), etag.toUpperCase(), ""];
  for (const ifNoneMatch of others) {
    await t.step(ifNoneMatch, () => {
      assert.equal(answer(request({ "If-None-Match": ifNoneMatch })).status, 200);
    });
  }
  const other = answer(request({ "If-None-Match": etag, "Accept-Encoding": "br" }));
  assert.equal(other.status, 200);
});

Deno.test("prepareAnswer() sends no ETag and no 304 when the status is not 200", () => {
  const missing = prepareAnswer(representText(TEXT, "text/html"), {
    status: 404,
    headers: HEADERS,
  });
  const response = missing(request({ "If-None-Match": "*" }));
  assert.equal(response.status, 404);
  assert.equal(response.headers.get("etag"), null);
});

Deno.test("prepareAnswer() makes an answer whose Content-Length and strong ETag reach the client over a real connection", async (t) => {
  const address = { port: 0, hostname: "127.0.0.1" };
  const { signal } = new AbortController();
  const server = await serveHttp({ address, handler: answer, signal });
  for (const method of ["GET", "HEAD"]) {
    // The last one is answered plain: a server that compresses by itself would choose gzip for it.
    for (const acceptEncoding of ["identity", "gzip", "br", "gzip;q=0.2, identity"]) {
      await t.step(`${method} ${acceptEncoding}`, async () => {
        const expected = answer(request({ "Accept-Encoding": acceptEncoding }));
        const head = await headOf(server.addr.port, method, acceptEncoding);

        assert.match(head[0]!, /^HTTP\/1\.1 200 /);
        for (const name of ["etag", "content-length", "content-encoding"]) {
          const line = head.find((line) => line.toLowerCase().startsWith(`${name}: `));
          assert.equal(line?.slice(name.length + 2) ?? null, expected.headers.get(name));
        }
      });
    }
  }
  await server.shutdown();
});

Deno.test("prepareAnswer() keeps a single copy of a text in memory for a hundred unread answers", () => {
  const megabyte = 2 ** 20;
  const large = prepareAnswer(representText("x".repeat(megabyte), "text/plain"), {
    headers: HEADERS,
  });
  const before = Deno.memoryUsage().external;
  const held = Array.from({ length: 100 }, () => large(request()));
  const grown = Deno.memoryUsage().external - before;
  assert.equal(held.length, 100);
  assert.ok(grown < 10 * megabyte, `${held.length} answers hold ${grown} bytes`);
});

const DOCUMENT = "# Hüllo";
const serve = serveDocument(() => ({
  text: DOCUMENT,
  contentType: "text/markdown; charset=utf-8",
  headers: { Link: "</>" },
}));

// Clauses: RFC 9110 §8.8.3.
Deno.test("serveDocument() answers GET with text and headers, and HEAD with the same headers and no text", async () => {
  const response = serve(request());
  assert.equal(response.status, 200);
  const { etag, ...headers } = Object.fromEntries(response.headers);
  assert.match(etag!, /^"[\w-]{22}"$/);
  assert.deepEqual(headers, {
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=300",
    // Bytes, not characters.
    "content-length": "8",
    "content-type": "text/markdown; charset=utf-8",
    link: "</>",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
  assert.equal(await response.text(), DOCUMENT);
  const head = serve(request({}, "HEAD"));
  assert.equal(head.status, 200);
  assert.deepEqual([...head.headers], [...response.headers]);
  assert.equal(await head.text(), "");

  const tagOf = (text: string) =>
    serveDocument(() => ({ text, contentType: "text/plain" }))(request()).headers.get("etag");
  assert.equal(tagOf(DOCUMENT), etag);
  assert.notEqual(tagOf(`${DOCUMENT} `), etag);
});

/** The head of an answer as it is on the wire; `fetch` would decode the body and hide the coding. */
async function headOf(port: number, method: string, acceptEncoding: string): Promise<string[]> {
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  const lines = [
    `${method} / HTTP/1.1`,
    "Host: waitlist.test",
    `Accept-Encoding: ${acceptEncoding}`,
    "Connection: close",
    "",
    "",
  ];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  let text = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream("latin1"))) {
    text += chunk;
  }
  return text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");
}
