import assert from "node:assert/strict";
import { securityTxt } from "../../../server/discovery/security_txt.ts";

const DAY = 86_400_000;

Deno.test("securityTxt() gives the fields of RFC 9116 when it is made", () => {
  const text = securityTxt({
    baseUrl: "https://waitlist.test",
    contact: "mailto:security@waitlist.test",
    now: Date.parse("2026-11-21T12:00:20Z"),
  });
  assert.equal(
    text,
    `Contact: mailto:security@waitlist.test
Expires: 2027-05-20T00:00:00.000Z
Preferred-Languages: en, de
Canonical: https://waitlist.test/.well-known/security.txt
`,
  );
});

Deno.test("securityTxt() expires in the future and within a year when it is made at any moment", () => {
  const midnight = Date.parse("2028-02-29T00:00:00Z");
  for (const now of [0, midnight - 1, midnight, midnight + 1]) {
    const text = securityTxt({ baseUrl: "https://a.test", contact: "https://a.test/", now });
    const [, expires] = /^Expires: (.*)$/m.exec(text) ?? [];
    const validFor = Date.parse(expires ?? "") - now;
    assert.ok(validFor > 0 && validFor < 365 * DAY, `${validFor} ms at ${now}`);
  }
});
