import assert from "node:assert/strict";
import { addresses, allNoted, assertOneLetterEach, joinAll } from "../../support/mail.ts";
import { mailVariables } from "../../support/mail.ts";
import { startPostgres, test } from "../../support/postgres.ts";
import { issueClient, readStats } from "../../support/process_requests.ts";
import { storedSignUps } from "../../support/records.ts";
import { getAccessToken } from "../../support/service.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { startVictim } from "../../support/victim.ts";

const SIGN_UPS = 500;

test("main() accepts sign-ups, sends letters, answers statistics and stops on PostgreSQL, first on Deno and then on Node", async (t) => {
  await using mailServer = await startSmtpServer();
  await using postgres = await startPostgres();
  const variables = { ...mailVariables(mailServer), ...postgres.variables };
  const joined: string[] = [];
  // Each finds what the one before has stored.
  for (const runtime of ["node", "deno", "node"] as const) {
    await t.step(runtime, async () => {
      await using victim = startVictim(variables, { runtime });
      const service = await victim.serving;
      assert.ok(service, victim.stderr.text);
      const token = await getAccessToken(service, await issueClient(service));
      const emails = addresses(SIGN_UPS, `${runtime}${joined.length}.`);
      await joinAll(service, emails);
      joined.push(...emails);
      assert.equal((await readStats(service, token)).total, joined.length);
      await mailServer.taken(joined.length);
      await allNoted(service);
      const { code, stderr } = await victim.end("SIGTERM");
      assert.equal(code, 0, stderr);
      assert.match(stderr, /"event":"stopped"\}\n$/);
    });
  }
  assertOneLetterEach(mailServer, joined);
  using store = await postgres.open();
  assert.deepEqual(Object.keys(await storedSignUps(store.kv)).sort(), joined.toSorted());
});
