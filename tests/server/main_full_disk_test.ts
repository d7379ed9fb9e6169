import assert from "node:assert/strict";
import { join } from "node:path";
import { readCounts } from "../../server/store/statistics.ts";
import { newSource } from "../support/answers.ts";
import { makeTestFolder } from "../support/process.ts";
import { recount, storedSignUps } from "../support/records.ts";
import { json } from "../support/service.ts";
import { startVictim } from "../support/victim.ts";

/** KiB: enough to start with, and full after some hundred sign-ups. */
const DISK_SIZE = 512;

Deno.test("main() refuses sign-ups, keeps status up and loses nothing when the disk is full", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using folder = await makeTestFolder();
  const variables = { KV_PATH: join(folder.path, "kv.sqlite3"), TRUSTED_PROXY_HOPS: "1" };
  const acknowledged: string[] = [];
  /** Signs up twenty at once until one is refused, at most `batches` times; the refusal's status. */
  async function signUp(baseUrl: string, batches: number): Promise<number | undefined> {
    for (let batch = 0; batch < batches; batch++) {
      const answers = await Promise.all(Array.from({ length: 20 }, async (_, index) => {
        const email = `visitor${acknowledged.length + index}@example.com`;
        const request = new Request(`${baseUrl}/api/v1/waitlist`, json({ email, consent: true }));
        request.headers.set("X-Forwarded-For", newSource());
        const response = await fetch(request);
        await response.body?.cancel();
        return { email, status: response.status };
      }));
      for (const { email, status } of answers) if (status === 200) acknowledged.push(email);
      const refusal = answers.find(({ status }) => status !== 200);
      if (refusal) return refusal.status;
    }
  }

  const full = startVictim(variables, DISK_SIZE);
  try {
    const baseUrl = await full.baseUrl ?? assert.fail("it did not start");
    assert.equal(await signUp(baseUrl, 500), 500);
    const status = await fetch(`${baseUrl}/api/v1/status`);
    assert.equal(status.status, 200);
    await status.body?.cancel();
  } finally {
    await full.end("SIGTERM");
  }
  {
    using kv = await Deno.openKv(variables.KV_PATH);
    const stored = await storedSignUps(kv);
    assert.deepEqual(acknowledged.filter((email) => !Object.hasOwn(stored, email)), []);
    assert.deepEqual(await readCounts(kv, Date.now()), await recount(kv, Date.now()));
  }
  const roomy = startVictim(variables);
  try {
    const baseUrl = await roomy.baseUrl ?? assert.fail("it did not start again");
    assert.equal(await signUp(baseUrl, 1), undefined, "with room, all is well again");
  } finally {
    await roomy.end("SIGTERM");
  }
});
