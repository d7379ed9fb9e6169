import assert from "node:assert/strict";
import fc from "fast-check";
import { base64url, compactDecrypt } from "jose";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_token.ts";
import { readSelfServiceToken } from "../../../server/waitlist/self_service_token.ts";
import { encrypt } from "../../support/self_service.ts";
import { random, recordId } from "../../support/records.ts";

const KEY = random(32);
const OTHER_KEY = random(32);
const ADA = { email: "ada@example.com", id: recordId() };
const GRACE = { email: "grace@example.com", id: recordId() };
const urls = createSelfServiceUrls("https://waitlist.test", () => KEY);

const tokenIn = (url: string) => new URL(url).searchParams.get("t") ?? "";
const token = tokenIn(urls.leaveUrl(ADA.email, ADA.id));
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Asserts that none of some texts is taken for a token. */
async function assertNone(texts: Iterable<string>, keys = [KEY, OTHER_KEY]): Promise<void> {
  for (const text of texts) assert.equal(await readSelfServiceToken(text, keys), undefined, text);
}

Deno.test("createSelfServiceUrls() makes links that another implementation of JWE can read", async () => {
  const url = urls.placeUrl("de", ADA.email, ADA.id);
  assert.match(url, /^https:\/\/waitlist\.test\/de\/platz\/\?t=[\w.-]+$/);
  const { plaintext, protectedHeader } = await compactDecrypt(tokenIn(url), KEY);
  assert.deepEqual(protectedHeader, { alg: "dir", enc: "A256GCM" });
  assert.equal(new TextDecoder().decode(plaintext), ADA.id + ADA.email);
  assert.match(urls.placeUrl("en", ADA.email, ADA.id), /^https:\/\/waitlist\.test\/place\/\?t=/);
  assert.match(urls.leaveUrl(ADA.email, ADA.id), /^https:\/\/waitlist\.test\/place\/leave\?t=/);
});

Deno.test("createSelfServiceUrls() makes links of less than 500 characters when the address is the longest", () => {
  const longest = `${"a".repeat(242)}@example.com`;
  assert.equal(longest.length, 254);
  const { length } = urls.placeUrl("de", longest, ADA.id);
  assert(length < 500, String(length));
  assert(urls.placeUrl("en", ADA.email, ADA.id).length < 180);
});

Deno.test("createSelfServiceUrls() makes one link for a person, which tells nothing of the person", () => {
  const again = createSelfServiceUrls("https://waitlist.test", () => KEY);
  assert.equal(again.placeUrl("en", ADA.email, ADA.id), urls.placeUrl("en", ADA.email, ADA.id));
  const ids = Array.from({ length: 100 }, recordId);
  const links = ids.map((id) => urls.placeUrl("en", ADA.email, id));
  const vectors = links.map((url) => tokenIn(url).split(".")[2]);
  assert.equal(new Set(vectors).size, 100, "each content has a vector of its own");
  const bytes = links.flatMap((url) => tokenIn(url).split(".").map((part) => atob(toBase64(part))));
  assert(bytes.every((text) => !text.includes("ada") && !ids.some((id) => text.includes(id))));
});

const toBase64 = (text: string) => text.replaceAll("-", "+").replaceAll("_", "/");

Deno.test("readSelfServiceToken() gives whom a token names when any of the keys has made it", async () => {
  assert.deepEqual(await readSelfServiceToken(token, [KEY]), ADA);
  assert.deepEqual(await readSelfServiceToken(token, [OTHER_KEY, KEY]), ADA);
  const foreign = await encrypt(GRACE.id + GRACE.email, OTHER_KEY);
  assert.deepEqual(await readSelfServiceToken(foreign, [KEY, OTHER_KEY]), GRACE);
});

Deno.test("readSelfServiceToken() gives nothing when a token was made with another key", async () => {
  await assertNone([token], [OTHER_KEY]);
  await assertNone([token], []);
  await assertNone([await encrypt(ADA.id + ADA.email, random(32))]);
});

// A part that is base64url has unused bits at its end, so some of these have the bytes of the token.
Deno.test("readSelfServiceToken() gives nothing when any character of a token is another one", async () => {
  const others = [];
  for (const [at, character] of [...token].entries()) {
    const shifted = (by: number) => BASE64URL[(BASE64URL.indexOf(character) + by) % 64] ?? "A";
    for (const other of [shifted(1), shifted(2), shifted(32), ".", "=", "%", "\n"]) {
      if (other !== character) others.push(token.slice(0, at) + other + token.slice(at + 1));
    }
  }
  await assertNone(others);
});

Deno.test("readSelfServiceToken() gives nothing when a token is cut, longer, or written in another way", async () => {
  await assertNone(Array.from(token, (_, at) => token.slice(0, at)));
  await assertNone(Array.from(token, (_, at) => token.slice(0, at) + token.slice(at + 1)));
  await assertNone(
    ["A", "=", ".", " ", "\n", "\0", "é"].flatMap((end) => [token + end, end + token]),
  );
  await assertNone([toBase64(token).replaceAll("A", "+"), token.replaceAll(".", "..")]);
  await assertNone([`${token}${"A".repeat(2_000_000)}`]);
});

Deno.test("readSelfServiceToken() gives nothing when the parts of two people's tokens are mixed", async () => {
  const parts = [token, tokenIn(urls.placeUrl("en", GRACE.email, GRACE.id))].map((text) =>
    text.split(".")
  );
  const mixed = [];
  for (let choice = 0; choice < 32; choice++) {
    const of = parts[0]!.map((_, at) => parts[choice >> at & 1]![at]!);
    mixed.push(of.join("."));
  }
  const whole = parts.map((part) => part.join("."));
  await assertNone(mixed.filter((text) => !whole.includes(text)));
});

Deno.test("readSelfServiceToken() gives nothing when the right key has made a token of another kind", async () => {
  const text = ADA.id + ADA.email;
  await assertNone([
    await encrypt(text, KEY, { zip: "DEF" }),
    await encrypt(text, KEY, { cty: "text" }),
    await encrypt(text, KEY, { alg: "A256KW" }),
    await encrypt(text, KEY, { enc: "A128CBC-HS256" }),
    await encrypt(text, KEY, { alg: "A256GCMKW" }),
  ]);
});

Deno.test("readSelfServiceToken() gives nothing, and throws nothing, for any text", async () => {
  const part = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => base64url.encode(bytes)),
    fc.constantFrom(...token.split(".")),
  );
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.array(part).map((all) => all.join(".")));
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      if (text !== token) await assertNone([text]);
    }),
    { numRuns: 200 },
  );
});
