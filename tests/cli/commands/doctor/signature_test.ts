import assert from "node:assert/strict";
import {
  envelopeIn,
  parseSignature,
  signatureIn,
} from "../../../../cli/commands/doctor/signature.ts";

const OWN = { domain: "example.com", selector: "s1" };

const SOURCE = `Received: from mx\r
DKIM-Signature: v=1; a=rsa-sha256; d=esp.example.net; s=k1; h=from;\r
 b=abc\r
DKIM-Signature: v=1; a=rsa-sha256;\r
 d=Example.com; s=s1; b=def\r
\r
DKIM-Signature: v=1; d=body.example; s=no\r
`;

Deno.test("signatureIn() returns the DKIM signature of the sender's domain, or that of another domain if the sender's domain has none", () => {
  assert.deepEqual(signatureIn(SOURCE, "example.com"), OWN);
  assert.deepEqual(signatureIn(SOURCE, "other.example"), {
    domain: "esp.example.net",
    selector: "k1",
  });
  assert.equal(signatureIn("Subject: none\n\nText", "example.com"), undefined);
});

Deno.test("envelopeIn() returns the address in the Return-Path header, or undefined when the header has no address", async (t) => {
  const of = (path: string) =>
    envelopeIn(`Subject: x\r\nreturn-path: ${path}\r\n\r\nReturn-Path: <b@c.d>`);
  assert.equal(of("<pm_bounces@pm.mtasv.net>"), "pm_bounces@pm.mtasv.net");
  assert.equal(of("a@b.example"), "a@b.example");
  for (const none of ["<>", "", "<a b@c.d>"]) {
    await t.step(JSON.stringify(none), () => {
      assert.equal(of(none), undefined);
    });
  }
  assert.equal(envelopeIn(SOURCE), undefined);
});

Deno.test("parseSignature() accepts a DKIM selector alone, and a DKIM selector with its domain", async (t) => {
  assert.deepEqual(parseSignature("s1"), { selector: "s1" });
  assert.deepEqual(parseSignature("s1@Mail.example.com"), {
    selector: "s1",
    domain: "mail.example.com",
  });
  for (const wrong of ["", "s1@", "a b", "s1@a@b"]) {
    await t.step(JSON.stringify(wrong), () => {
      assert.throws(() => parseSignature(wrong), /--dkim is .+; give SELECTOR or SELECTOR@DOMAIN/);
    });
  }
});
