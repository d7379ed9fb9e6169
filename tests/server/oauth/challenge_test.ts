import assert from "node:assert/strict";
import { makeChallenge, toQuotable } from "../../../server/oauth/challenge.ts";

// Clauses: RFC 6750 §3 scheme.
Deno.test("makeChallenge() quotes every parameter, and keeps the order of the parameters", () => {
  assert.equal(makeChallenge("Basic", { realm: "waitlist-web" }), 'Basic realm="waitlist-web"');
  assert.equal(
    makeChallenge("Bearer", { realm: "waitlist-web", error: "invalid_token", scope: "a b" }),
    'Bearer realm="waitlist-web", error="invalid_token", scope="a b"',
  );
});

// Clauses: RFC 6750 §3 attributes; RFC 9110 §11.6.1.
Deno.test("makeChallenge() removes quotes, backslashes and line ends from values", () => {
  const value = makeChallenge("Bearer", { realm: '", error="x', scope: "\\\r\nSet-Cookie: a=b" });
  assert.match(value, /^Bearer realm="[^"\\\r\n]+", scope="[^"\\\r\n]+"$/);
});

// Clauses: RFC 6749 §5.2 characters; RFC 6750 §3 attributes.
Deno.test("toQuotable() replaces exactly the characters that RFC 6749 §5.2 forbids", () => {
  for (let code = 0; code <= 0x180; code++) {
    const character = String.fromCharCode(code);
    const allowed = /^[\x20-\x21\x23-\x5b\x5d-\x7e]$/;
    if (allowed.test(character)) assert.equal(toQuotable(character), character);
    else assert.match(toQuotable(character), allowed, `character ${code}`);
  }
  assert.match(toQuotable("💧\ud800\u2028"), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});
