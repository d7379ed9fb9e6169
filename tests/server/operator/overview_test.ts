import assert from "node:assert/strict";
import { startOperatedService } from "../../support/operator.ts";
import { START } from "../../support/service.ts";

Deno.test("getOverview says what is still to do, and whether letters are sent", async () => {
  await using service = await startOperatedService({ SITE_NAME: "Acme", TRUSTED_PROXY_HOPS: "1" });
  const { warnings, sendsLetters } = await (await service.operate("/overview")).json();
  const subjects = warnings.map(({ about }: { about: string }) => about);
  assert.deepEqual(subjects, ["picture", "contact", "texts"]);
  assert.equal(sendsLetters, false);
});

Deno.test("getOverview says when counters were verified and a backup was made, once they were", async () => {
  await using service = await startOperatedService();
  const lastDone = async () => (await (await service.operate("/overview")).json()).lastDone;
  assert.deepEqual(await lastDone(), {});
  await (await service.operate("/backup", {})).text();
  const backup = new Date(START).toISOString();
  assert.deepEqual(await lastDone(), { backup });
  service.clock.now += 60_000;
  await (await service.operate("/counters/verify", {})).text();
  assert.deepEqual(await lastDone(), { backup, verify: new Date(START + 60_000).toISOString() });
});
