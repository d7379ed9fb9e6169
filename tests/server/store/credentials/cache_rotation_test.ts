import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { rotateRootKey } from "../../../../server/store/credentials/keys.ts";
import { deafKv, disable, statsStatus, tokenStatus } from "../../../support/credentials.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { createTestClient, getAccessToken, SANDBOX_CLIENT } from "../../../support/service.ts";
import { serveOn, START } from "../../../support/service.ts";
import { random } from "../../../support/records.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

Deno.test("startCredentials() lets every process accept every token when a key rotates", async () => {
  const kv = await openMemoryKv();
  await using one = await serveOn(kv);
  const two = await serveOn(kv);
  const client = await createTestClient(one);
  const sandbox = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const live: { token: string; prefix: string; expires: number }[] = [];
  const signedBy = new Set<string>();

  await rotateRootKey(kv, START, random);
  // One process reads a whole interval late, and the clock of the other is two seconds ahead.
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
    // The oldest token of each key, and the newest token, which the other process has not seen.
    for (const { token, prefix } of [...valid.slice(0, 4), ...valid.slice(-4)]) {
      assert.equal(await statsStatus(one, token, prefix), 200);
      assert.equal(await statsStatus(two, token, prefix), 200);
    }
  }
  assert.deepEqual([...signedBy], ["before 1", "after 2"]);
  await two.stop();
});

Deno.test("startCredentials() keeps clients and keys, and logs so, when a read fails", async () => {
  const { kv, faults } = deafKv(await openMemoryKv());
  await using service = await serveOn(kv);
  const token = await getAccessToken(service, await createTestClient(service));
  faults.away = true;
  service.log.length = 0;
  await service.repeatOnce();
  faults.away = false;
  const warnings = service.log.filter(({ event }) => /^clients and keys stay/.test(`${event}`));
  assert.deepEqual(warnings.map(({ level, error }) => [level, error]), [["warn", "KV is away"]]);
  assert.equal(await statsStatus(service, token), 200);
});

// A wall clock that jumps ahead and comes back must leave nothing behind in the future.
Deno.test("startCredentials() applies a change when the clock jumped an hour ahead and came back", async () => {
  const memory = await openMemoryKv();
  const { kv } = deafKv(memory);
  await using service = await startOperatedService({}, kv);
  const deaf = await serveOn(kv);
  const client = await createTestClient(service);
  deaf.clock.now += 3_600_000;
  deaf.clock.jumped = 3_600_000;
  assert.equal(await tokenStatus(deaf, client), 200);
  deaf.clock.now -= 3_600_000;
  deaf.clock.jumped = 0;
  await disable(service, client);
  await deaf.repeatOnce();
  assert.equal(await tokenStatus(deaf, client), 401);
  await deaf.stop();
});
