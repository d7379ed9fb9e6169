import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { OutboxItem } from "../../../server/waitlist/mod.ts";
import { listAll } from "../../support/memory_kv.ts";
import { mailVariables } from "../../support/mail.ts";
import { openUrl, startPostgres, test } from "../../support/postgres.ts";
import { startService } from "../../support/process.ts";
import { sendSignUp } from "../../support/process_requests.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

/** Within which the service goes on by itself after a promotion, in milliseconds. */
const GOES_ON_MS = 15_000;

// server/README.md, "PostgreSQL".
test("a process goes on with a standby that is promoted, and loses no sign-up and no letter", async () => {
  await using mailServer = await startSmtpServer();
  await using primary = await startPostgres();
  await using standby = await startPostgres({ primary });
  await primary.configure("synchronous_standby_names = 'standby'");
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  await using service = await startService({
    ...mailVariables(mailServer),
    KV_URL: primary.urlOf("postgres", hosts),
    TRUSTED_PROXY_HOPS: "1",
  });
  const { refused, acknowledged } = await sendSignUps({ servers: [service] }, async () => {
    await primary.kill();
    await delay(1_000);
    const promotedAt = performance.now();
    await standby.promote();
    for (let isBack = false; !isBack;) {
      const response = await sendSignUp(service, { email: "visitor1@example.com" });
      await response.body?.cancel();
      isBack = response.status === 200;
    }
    const ms = performance.now() - promotedAt;
    console.log(`the service went on ${Math.round(ms)} ms after the promotion`);
    assert.ok(ms < GOES_ON_MS, `it took ${ms} ms`);
  });
  // Where the promotion comes soon, tries that are made again bridge it.
  console.log(`${refused} requests were not acknowledged`);
  await service.end("SIGTERM");

  using store = await openUrl(standby.urlOf("postgres"));
  await assertEachOnce(store, acknowledged);
  const items = await listAll<OutboxItem>(store.kv, { prefix: ["outbox"] });
  const reached = new Set([
    ...items.map(({ value }) => value.email),
    ...mailServer.letters.flatMap(({ to }) => to),
  ]);
  assert.deepEqual([...acknowledged.addresses()].filter((email) => !reached.has(email)), []);
});
