import assert from "node:assert/strict";
import { serveDocument } from "../../../server/http/representation.ts";

const TEXT = "# Hüllo";
const serve = serveDocument({
  text: TEXT,
  contentType: "text/markdown; charset=utf-8",
  headers: { Vary: "Accept" },
});

function get(headers: Record<string, string> = {}, method = "GET"): Response {
  return serve(new Request("http://localhost/", { method, headers }));
}

const ETAG = get().headers.get("etag") ?? "";

// Decisions, "Index, discovery, documents": ETag, max-age, any origin.
Deno.test("serveDocument() answers the text with its headers when asked by GET", async () => {
  const response = get();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
  assert.equal(response.headers.get("content-length"), "8", "bytes, not characters");
  assert.equal(response.headers.get("cache-control"), "public, max-age=300");
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
  assert.equal(await response.text(), TEXT);
});

Deno.test("serveDocument() answers a GET's headers without a body when asked by HEAD", async () => {
  const response = get({}, "HEAD");
  assert.equal(response.status, 200);
  assert.deepEqual([...response.headers], [...get().headers]);
  assert.equal(await response.text(), "");
});

// Clauses: RFC 9110 §8.8.3.
Deno.test("serveDocument() gives each text a strong tag of its own", () => {
  assert.match(ETAG, /^"[\w-]{22}"$/);
  const tagOf = (text: string) =>
    serveDocument({ text, contentType: "text/plain" })(new Request("http://localhost/"))
      .headers.get("etag");
  assert.equal(tagOf(TEXT), ETAG);
  assert.notEqual(tagOf(`${TEXT} `), ETAG);
});

// Decisions, "Index, discovery, documents": a strong `ETag`. Deno.serve up to 2.5 compresses what is not
// compressed, and weakens the tag.
Deno.test("serveDocument() has a strong tag for each coding when it answers over a socket", async () => {
  const document = { text: TEXT.repeat(1_000), contentType: "text/plain" };
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    serveDocument(document),
  );
  const tags = new Set<string>();
  for (const coding of ["identity", "gzip", "br"]) {
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/`, {
      headers: { "Accept-Encoding": coding },
    });
    assert.equal(response.headers.get("vary"), "Accept-Encoding");
    const tag = response.headers.get("etag") ?? "";
    assert.match(tag, /^"[\w-]{22}"$/);
    tags.add(tag);
    assert.equal(await response.text(), document.text);
  }
  assert.equal(tags.size, 3);
});

// Clauses: RFC 9110 §13.1.2 304; RFC 9110 §15.4.5.
Deno.test("serveDocument() answers 304 when If-None-Match names the tag", async () => {
  for (const method of ["GET", "HEAD"]) {
    const values = [ETAG, `W/${ETAG}`, "*", ` ${ETAG} `, `"other", ${ETAG}`, `W/"x",${ETAG},"y"`];
    for (const ifNoneMatch of values) {
      const response = get({ "If-None-Match": ifNoneMatch }, method);
      assert.equal(response.status, 304, ifNoneMatch);
      assert.equal(response.headers.get("etag"), ETAG);
      assert.equal(response.headers.get("cache-control"), "public, max-age=300");
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
      assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
      assert.equal(response.headers.get("content-length"), null);
      assert.equal(await response.text(), "");
    }
  }
});

// Clauses: RFC 9110 §13.1.2 304.
Deno.test("serveDocument() answers the text when If-None-Match names other tags", () => {
  for (const ifNoneMatch of ['"other"', 'W/"other"', ETAG.slice(1, -1), ETAG.toUpperCase(), ""]) {
    assert.equal(get({ "If-None-Match": ifNoneMatch }).status, 200, ifNoneMatch);
  }
});

Deno.test("serveDocument() answers 405 when the method is neither GET nor HEAD", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const response = get({ "If-None-Match": "*" }, method);
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get("allow"), "GET, HEAD");
    assert.equal(response.headers.get("content-type"), "application/json");
    const body = await response.json();
    assert.deepEqual(Object.keys(body), ["error", "message"]);
    assert.equal(body.error, "method_not_allowed");
  }
});
