import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { rotateRootKey } from "../../../server/store/root_keys.ts";
import {
  createTestClient,
  getAccessToken,
  SANDBOX_CLIENT,
  serveOn,
  START,
  type TestService,
} from "../../support/service.ts";
import { requestStats } from "../../support/tokens.ts";

function random(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

async function assertAccepted(service: TestService, token: string, prefix = ""): Promise<void> {
  const response = await requestStats(service, { authorization: `Bearer ${token}`, prefix });
  assert.equal(response.status, 200);
}

// Decisions, "Tokens": the root key rotates without a failed call.
Deno.test("keepReadingRootKeys() lets every process take every token when a key rotates", async () => {
  const kv = await Deno.openKv(":memory:");
  await using one = await serveOn(kv);
  const two = await serveOn(kv);
  const client = await createTestClient(one);
  const sandbox = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const live: { token: string; prefix: string; expires: number }[] = [];
  const signedBy = new Set<string>();

  await rotateRootKey(kv, START, random);
  // A process reads late by a whole interval, and the other one's clock is two seconds ahead.
  for (let at = 0; at <= 1_200; at += 20) {
    one.clock.now = START + at * 1000;
    two.clock.now = one.clock.now + 2_000;
    await one.repeatOnce();
    if (at > 0) await two.repeatOnce();
    for (const service of [one, two]) {
      for (const [prefix, credentials] of [["", client], ["/sandbox", sandbox]] as const) {
        const token = await getAccessToken(service, credentials, prefix);
        live.push({ token, prefix, expires: service.clock.now + 898_000 });
        signedBy.add(`${at < 60 ? "before" : "after"} ${decodeProtectedHeader(token).kid}`);
      }
    }
    const valid = live.filter(({ expires }) => expires > two.clock.now);
    // The oldest of each key, and the newest, which the other process has not seen.
    for (const { token, prefix } of [...valid.slice(0, 4), ...valid.slice(-4)]) {
      await assertAccepted(one, token, prefix);
      await assertAccepted(two, token, prefix);
    }
  }
  assert.deepEqual([...signedBy], ["before 1", "after 2"]);
  await two.stop();
});

Deno.test("keepReadingRootKeys() keeps the known keys, and says so, when a reading fails", async () => {
  const kv = await Deno.openKv(":memory:");
  let failing = false;
  const failingList = new Proxy(kv, {
    get(target, name) {
      if (name === "list" && failing) throw new Error("KV is away");
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await using service = await serveOn(failingList);
  const token = await getAccessToken(service, await createTestClient(service));
  await rotateRootKey(kv, START, random);
  failing = true;
  service.log.length = 0;
  await service.repeatOnce();
  failing = false;
  assert.deepEqual(service.log.map(({ level, error }) => ({ level, error })), [
    { level: "warn", error: "KV is away" },
  ]);
  await assertAccepted(service, token);
});

// Decisions, "Tokens": an unknown `kid` costs no KV operation.
Deno.test("keepReadingRootKeys() leaves a token of an unknown key to the next reading", async () => {
  const kv = await Deno.openKv(":memory:");
  const reads: Deno.KvKey[] = [];
  const counted = new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "get") reads.push(args[0] as Deno.KvKey);
        if (name === "list") reads.push((args[0] as { prefix: Deno.KvKey }).prefix);
        return value.apply(target, args);
      };
    },
  });
  const one = await serveOn(counted);
  await using two = await serveOn(kv);
  await rotateRootKey(kv, START, random);
  two.clock.now += 60_000;
  await two.repeatOnce();
  const token = await getAccessToken(two, await createTestClient(two));
  assert.equal(decodeProtectedHeader(token).kid, "2");

  reads.length = 0;
  const refused = await requestStats(one, { authorization: `Bearer ${token}` });
  assert.equal(refused.status, 401);
  // The limiter's beat may come in between.
  assert.deepEqual(reads.filter(([name]) => name !== "limit_counts"), []);
  await one.repeatOnce();
  assert.ok(reads.some(([name]) => name === "root_key"));
  await assertAccepted(one, token);
  await one.stop();
});
