import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { base64url } from "jose";
import { encodeAlphanumeric } from "../../../server/waitlist/alphanumeric.ts";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_urls.ts";
import { readSelfServiceToken } from "../../../server/waitlist/self_service_token.ts";
import { encrypt, partsOf, tokenIn } from "../../support/self_service.ts";
import { random, recordId } from "../../support/records.ts";
import { unicodeText } from "../../support/unicode_text.ts";

const KEY = random(32);
const OTHER_KEY = random(32);
const ADA = { email: "ada@example.com", id: recordId() };
const GRACE = { email: "grace@example.com", id: recordId() };
const urls = createSelfServiceUrls("https://waitlist.test", () => KEY);

const token = tokenIn(urls.leaveUrl(ADA.email, ADA.id));
/** The form of older links, which JWE calls compact. */
const older = await olderToken();
const FORMS = [token, older];
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Asserts that none of some texts is taken for a token. */
async function assertNone(texts: Iterable<string>, keys = [KEY, OTHER_KEY]): Promise<void> {
  for (const text of texts) assert.equal(await readSelfServiceToken(text, keys), undefined, text);
}

function toBase64(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

/** Makes a token that base64 and base64url write in different ways, because a few tokens are the same in both. */
async function olderToken(): Promise<string> {
  for (;;) {
    const text = await encrypt(ADA.id + ADA.email, KEY);
    if (toBase64(text) !== text) return text;
  }
}

Deno.test("readSelfServiceToken() returns the person of a token that was made with one of the given keys", async (t) => {
  for (const form of FORMS) {
    await t.step(
      form === token ? "the token has the present form" : "the token has the older form",
      async () => {
        assert.deepEqual(await readSelfServiceToken(form, [KEY]), ADA);
        assert.deepEqual(await readSelfServiceToken(form, [OTHER_KEY, KEY]), ADA);
      },
    );
  }
  const foreign = await encrypt(GRACE.id + GRACE.email, OTHER_KEY);
  assert.deepEqual(await readSelfServiceToken(foreign, [KEY, OTHER_KEY]), GRACE);
});

Deno.test("readSelfServiceToken() returns undefined when the token was made with another key", async () => {
  await assertNone(FORMS, [OTHER_KEY]);
  await assertNone(FORMS, []);
  await assertNone([await encrypt(ADA.id + ADA.email, random(32))]);
});

// A part that is base64url has unused bits at its end, so some of these have the bytes of the token.
Deno.test("readSelfServiceToken() returns undefined when any character of the token is replaced", async () => {
  const others = FORMS.flatMap((form) =>
    [...form].flatMap((character, at) => {
      const shifted = (by: number) => BASE64URL[(BASE64URL.indexOf(character) + by) % 64] ?? "A";
      return [shifted(1), shifted(2), shifted(32), ".", "=", "%", "\n"]
        .filter((other) => other !== character)
        .map((other) => form.slice(0, at) + other + form.slice(at + 1));
    })
  );
  await assertNone(others);
});

Deno.test("readSelfServiceToken() returns undefined when the token is cut, longer or encoded in another way", async (t) => {
  for (const form of FORMS) {
    await t.step(
      form === token ? "the token has the present form" : "the token has the older form",
      async () => {
        await assertNone(Array.from(form, (_, at) => form.slice(0, at)));
        await assertNone(Array.from(form, (_, at) => form.slice(0, at) + form.slice(at + 1)));
        await assertNone(
          ["A", "=", ".", " ", "\n", "\0", "é"].flatMap((end) => [form + end, end + form]),
        );
        await assertNone([`${form}${"A".repeat(2_000_000)}`]);
      },
    );
  }
  await assertNone([toBase64(older), older.replaceAll(".", "..")]);
});

Deno.test("readSelfServiceToken() returns undefined when parts of two people's tokens are mixed", async () => {
  const graces = tokenIn(urls.pageUrl("en", GRACE.email, GRACE.id));
  const parts = [token, graces].map(partsOf);
  const header = older.split(".", 1)[0];
  // All choices but those that take every part of one person.
  for (let choice = 1; choice < 7; choice++) {
    const mixed = [0, 1, 2].map((at) => parts[choice >> at & 1]![at]!);
    const compact = [header, "", ...mixed.map((part) => base64url.encode(part))].join(".");
    await assertNone([encodeAlphanumeric(Buffer.concat(mixed)), compact]);
  }
});

Deno.test("readSelfServiceToken() returns undefined for a token that was made with the right key but with another JWE header", async () => {
  const text = ADA.id + ADA.email;
  await assertNone([
    await encrypt(text, KEY, { zip: "DEF" }),
    await encrypt(text, KEY, { cty: "text" }),
    await encrypt(text, KEY, { alg: "A256KW" }),
    await encrypt(text, KEY, { enc: "A128CBC-HS256" }),
    await encrypt(text, KEY, { alg: "A256GCMKW" }),
  ]);
});

Deno.test("readSelfServiceToken() returns undefined, and does not throw, for random text", async () => {
  const part = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => base64url.encode(bytes)),
    fc.constantFrom(...older.split("."), token),
  );
  const text = fc.oneof(unicodeText(), fc.array(part).map((all) => all.join(".")));
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      if (!FORMS.includes(text)) await assertNone([text]);
    }),
    { numRuns: 200 },
  );
});
