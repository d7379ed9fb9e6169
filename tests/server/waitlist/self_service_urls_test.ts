import assert from "node:assert/strict";
import { base64url, compactDecrypt } from "jose";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_urls.ts";
import { partsOf, tokenIn } from "../../support/self_service.ts";
import { random, recordId } from "../../support/records.ts";

const KEY = random(32);
const ADA = { email: "ada@example.com", id: recordId() };
const urls = createSelfServiceUrls("https://waitlist.test", () => KEY);

Deno.test("createSelfServiceUrls() makes links with a token that another implementation of JWE can decrypt", async () => {
  const url = urls.pageUrl("de", ADA.email, ADA.id);
  assert.match(url, /^https:\/\/waitlist\.test\/de\/platz\/\?t=[A-Za-z0-9]+$/);
  const header = base64url.encode('{"alg":"dir","enc":"A256GCM"}');
  const compact = [header, "", ...partsOf(tokenIn(url)).map((part) => base64url.encode(part))];
  const { plaintext, protectedHeader } = await compactDecrypt(compact.join("."), KEY);
  assert.deepEqual(protectedHeader, { alg: "dir", enc: "A256GCM" });
  assert.equal(new TextDecoder().decode(plaintext), ADA.id + ADA.email);
  assert.match(urls.pageUrl("en", ADA.email, ADA.id), /^https:\/\/waitlist\.test\/place\/\?t=/);
  assert.match(urls.leaveUrl(ADA.email, ADA.id), /^https:\/\/waitlist\.test\/place\/leave\?t=/);
});

Deno.test("createSelfServiceUrls() makes links of less than 500 characters for the longest address", () => {
  const longest = `${"a".repeat(242)}@example.com`;
  assert.equal(longest.length, 254);
  const { length } = urls.pageUrl("de", longest, ADA.id);
  assert(length < 500, String(length));
  assert(urls.pageUrl("en", ADA.email, ADA.id).length < 180);
});

Deno.test("createSelfServiceUrls() makes the same link for a person each time, and the link does not reveal address or id", () => {
  const again = createSelfServiceUrls("https://waitlist.test", () => KEY);
  assert.equal(again.pageUrl("en", ADA.email, ADA.id), urls.pageUrl("en", ADA.email, ADA.id));
  const ids = Array.from({ length: 100 }, recordId);
  const links = ids.map((id) => urls.pageUrl("en", ADA.email, id));
  const vectors = links.map((url) => partsOf(tokenIn(url))[0]!.toString("hex"));
  assert.equal(new Set(vectors).size, 100, "each content has a vector of its own");
  const bytes = links.flatMap((url) =>
    partsOf(tokenIn(url)).map((part) => part.toString("latin1"))
  );
  assert(bytes.every((text) => !text.includes(ADA.email) && !ids.some((id) => text.includes(id))));
});
