import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { assertRefused, call, test } from "../../support/operator.ts";
import { createTestClient, getAccessToken, signUp } from "../../support/service.ts";

test("rotateKeys makes a key that first signs tokens a minute later, and makes no second key within this minute", async (service) => {
  const client = await createTestClient(service);
  const keyOf = async () => decodeProtectedHeader(await getAccessToken(service, client)).kid;
  const rotateKeys = () => call(service, "/keys/rotate", undefined, "POST");
  const signsFrom = new Date(service.clock.now + 60_000).toISOString();
  assert.deepEqual(await rotateKeys(), { outcome: "begun", keyId: "2", signsFrom });
  service.clock.now += 1;
  assert.deepEqual(await rotateKeys(), { outcome: "under_way", keyId: "2", signsFrom });
  assert.equal(await keyOf(), "1");
  service.clock.now += 60_000;
  await service.repeatOnce();
  assert.equal(await keyOf(), "2");
});

test("rotateLinkKey makes a new key for self-service links, and older links stay valid for the given time", async (service) => {
  await signUp(service, "ada@example.com");
  const linkOf = async () =>
    new URL((await call(service, "/signups/show", { email: "ada@example.com" })).placeUrl);
  const opens = async ({ pathname, search }: URL) => {
    const response = await service.request(pathname + search);
    await response.body?.cancel();
    return response.status === 200;
  };
  const old = await linkOf();
  const days90 = 90 * 24 * 60 * 60_000;
  const { oldLinksUntil } = await call(service, "/keys/links/rotate", {});
  assert.equal(oldLinksUntil, new Date(service.clock.now + days90).toISOString());
  const fresh = await linkOf();
  assert.notEqual(fresh.search, old.search);
  assert.ok(await opens(old) && await opens(fresh));
  service.clock.now += days90 + 1;
  assert.ok(!await opens(old) && await opens(fresh));

  await call(service, "/keys/links/rotate", { overlapSeconds: 0 });
  service.clock.now += 1;
  assert.ok(!await opens(fresh) && await opens(await linkOf()));
  await assertRefused(service, "/keys/links/rotate", [
    [{ overlapSeconds: -1 }, /^Field 'overlapSeconds' is -1; give a whole number/],
  ]);
});
