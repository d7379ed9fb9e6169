import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder } from "../../support/process.ts";
import { storedSignUps } from "../../support/records.ts";
import { sendSignUp, type Serving, statusOf } from "../../support/process_requests.ts";
import { counterFindings, startVictim, whileServing } from "../../support/victim.ts";
import { openFileKv } from "../../support/memory_kv.ts";

/** KiB: enough to start with, and full after some hundred sign-ups. */
const DISK_SIZE = 512;

Deno.test(
  "main() refuses sign-ups, answers 503 at /ready and 200 at /api/v1/status, and loses no acknowledged sign-up when the disk is full",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await using folder = await makeTestFolder();
    const variables = { KV_PATH: join(folder.path, "kv.sqlite3"), TRUSTED_PROXY_HOPS: "1" };
    const acknowledged: string[] = [];
    /** Signs up twenty at once until one is refused, at most `batches` times; the refusal's status. */
    async function signUp(service: Serving, batches: number): Promise<number | undefined> {
      for (let batch = 0; batch < batches; batch++) {
        const answers = await Promise.all(Array.from({ length: 20 }, async (_, index) => {
          const email = `visitor${acknowledged.length + index}@example.com`;
          return { email, status: await statusOf(sendSignUp(service, { email })) };
        }));
        for (const { email, status } of answers) if (status === 200) acknowledged.push(email);
        const refusal = answers.find(({ status }) => status !== 200);
        if (refusal) return refusal.status;
      }
    }

    const full = startVictim(variables, { largestFile: DISK_SIZE });
    try {
      const service = await full.serving ?? assert.fail("it did not start");
      assert.equal(await signUp(service, 500), 500);
      assert.equal(await statusOf(service.request("/api/v1/status")), 200);
      assert.match(await full.logged(/"event":"KV takes no writes".*/) ?? "", /disk/);
      const ready = await service.request("/ready");
      assert.equal(ready.status, 503);
      assert.deepEqual(await ready.json(), { ready: false, missing: ["writes"] });
    } finally {
      await full.end("SIGTERM");
    }
    {
      using kv = await openFileKv(variables.KV_PATH);
      const stored = await storedSignUps(kv);
      assert.deepEqual(acknowledged.filter((email) => !Object.hasOwn(stored, email)), []);
      assert.deepEqual(await counterFindings(kv, Date.now()), []);
    }
    const refusal = await whileServing(variables, (service) => signUp(service, 1));
    assert.equal(refusal, undefined, "with room, all is well again");
  },
);
