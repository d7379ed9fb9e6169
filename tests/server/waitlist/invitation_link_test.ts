import assert from "node:assert/strict";
import { invitationUrlOf, isSafeLink } from "../../../server/waitlist/invitation_link.ts";

Deno.test("isSafeLink() accepts https: URLs, and http: URLs of loopback hosts only", () => {
  const safe = "https://app.example.com/welcome?code={code} https://{code}.example.com/ " +
    "http://localhost:3000/{code} http://127.0.0.1/ http://[::1]:8000/";
  const unsafe = "app.example.com /welcome http://app.example.com/{code} javascript:alert(1) " +
    "http://localhost.example.com/ ftp://example.com/ https:// https://example.com/ü";
  const withSpace = ["", "https://example.com/a b", "https://example.com/\n"];
  assert.deepEqual(safe.split(" ").filter((link) => !isSafeLink(link)), []);
  assert.deepEqual([...unsafe.split(" "), ...withSpace].filter(isSafeLink), []);
});

Deno.test("invitationUrlOf() replaces each {code} of the link by the invitation code, and keeps a link without {code}", () => {
  assert.equal(
    invitationUrlOf("https://a.example/{code}?c={code}", "$&x"),
    "https://a.example/$&x?c=$&x",
  );
  assert.equal(invitationUrlOf("https://a.example/", "x"), "https://a.example/");
});
