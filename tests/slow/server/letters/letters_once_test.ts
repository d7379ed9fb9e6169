import assert from "node:assert/strict";
import { join } from "node:path";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { utcDay } from "../../../../server/waitlist/utc_day.ts";
import { addresses, allNoted, assertOneLetterEach, joinAll } from "../../../support/mail.ts";
import { mailVariables, makeAllDue } from "../../../support/mail.ts";
import { makeTestFolder, type ServiceProcess, startService } from "../../../support/process.ts";
import { operate } from "../../../support/process_requests.ts";
import { startSmtpServer } from "../../../support/smtp_server.ts";
import { listAll, openFileKv, type TestKv } from "../../../support/memory_kv.ts";

const [ADA = "", GRACE = "", JOAN = ""] = ["ada", "grace", "joan"].map((name) =>
  `${name}@example.com`
);

/** Ends a service, which notes before what became of its letters, and opens its store. */
async function openAfterwards(service: ServiceProcess): Promise<TestKv> {
  const { code, stderr } = await service.end("SIGTERM");
  assert.equal(code, 0, stderr);
  return await openFileKv(service.started.store);
}

Deno.test("main() sends one letter to an address that signs up 1,000 times, and one letter to each of 2,000 other addresses", async () => {
  await using server = await startSmtpServer();
  await using service = await startService(mailVariables(server));
  const others = addresses(2_000);
  await Promise.all([joinAll(service, Array(1_000).fill(ADA)), joinAll(service, others)]);
  await joinAll(service, [GRACE]);
  await server.taken(others.length + 2);
  await allNoted(service);
  using kv = await openAfterwards(service);
  assertOneLetterEach(server, [ADA, GRACE, ...others]);
  const counts = await readOutboxCounts(kv, utcDay(Date.now()));
  assert.deepEqual({ ...counts, sent: 0 }, { due: 0, held: 0, refused: 0, sent: 0 });
});

Deno.test("main() sends each letter once when the mail server is slow", async () => {
  await using server = await startSmtpServer();
  await server.behave({ delayMs: 500 });
  await using service = await startService(mailVariables(server));
  const [early, late] = [addresses(100, "early"), addresses(100, "late")];
  await joinAll(service, early);
  await server.until(({ reached }) => reached.letter > 0);
  await joinAll(service, late);
  await server.taken(early.length + late.length);
  using _kv = await openAfterwards(service);
  assertOneLetterEach(server, [...early, ...late]);
});

Deno.test("main() sends no letter to a person who was erased while the mail server was hanging", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  {
    await using bad = await startSmtpServer();
    await bad.behave({ silentAt: "connection" });
    await using service = await startService({ ...mailVariables(bad), KV_PATH });
    await joinAll(service, [ADA, GRACE]);
    // One of them is the try to log in at the start.
    await bad.until(({ reached }) => reached.connection === 3);
    const response = await operate(service, "/signups/erase", { email: ADA });
    assert.equal(response.status, 200, await response.text());
    // Both attempts fail, and what is noted of them does not bring the erased letter back.
    await bad.behave({ cutAt: "now" });
    await service.logged(/letters are paused/);
    using kv = await openAfterwards(service);
    await makeAllDue(kv);
    assert.deepEqual(bad.letters, []);
  }
  await using good = await startSmtpServer();
  await using service = await startService({ ...mailVariables(good), KV_PATH });
  await joinAll(service, [JOAN]);
  await good.taken(2);
  using kv = await openAfterwards(service);
  assertOneLetterEach(good, [GRACE, JOAN]);
  assert.deepEqual(await listAll(kv, { prefix: ["due"] }), []);
});
