import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../../server/store/people/commit_size.ts";
import { beginWave } from "../../../../server/store/invitations/begin_wave.ts";
import { findWave } from "../../../../server/store/invitations/waves.ts";
import { inviteAll, INVITING, LINK, storeWaiting, wavesOf } from "../../../support/invitations.ts";
import { recordLog } from "../../../support/log.ts";
import { test } from "../../../support/memory_kv.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { START } from "../../../support/service.ts";

const begin = (kv: Kv, id: string, request: { next: number; lang?: "de" }) =>
  beginWave(id, { link: LINK, letters: true, ...request }, undefined, { ...INVITING, kv });

const stateOf = async (kv: Kv, id: string) => (await findWave(kv, id))?.wave.state;

test("waves.wake() lets a new short wave end before a long wave that began earlier", async (kv) => {
  await storeWaiting(kv, 450);
  await begin(kv, "long", { next: 400 });
  let shortEndedAt: number | undefined;
  const waves = wavesOf(kv, {
    async yieldToCalls() {
      const long = (await findWave(kv, "long"))!.wave;
      if (long.invited === PEOPLE_IN_COMMIT && !await findWave(kv, "short")) {
        await begin(kv, "short", { next: 1 });
        waves.wake();
      }
      if (await stateOf(kv, "short") === "done") shortEndedAt ??= long.invited;
    },
  });
  await waves.run();
  assert.equal(await stateOf(kv, "long"), "done");
  assert.ok(shortEndedAt! < 400, "the short wave is done before the long one");
});

test("waves.makeCommit() renews its claim on a wave while it reads many people and invites nobody", async (kv) => {
  await storeWaiting(kv, 1_000);
  await begin(kv, "filtered", { next: 5, lang: "de" });
  let now = START;
  const [waves, other] = [wavesOf(kv, { now: () => now }), wavesOf(kv, { now: () => now })];
  for (let steps = 0; steps < 4; steps++, now += 20_000) {
    assert.ok(await waves.makeCommit("filtered"));
    assert.ok(!await other.makeCommit("filtered"), "another process leaves it alone");
  }
});

test("waves.makeCommit() ends after one page of people even if all people of the page already have their letters", async (kv) => {
  await storeWaiting(kv, 450);
  await inviteAll(kv, { next: 450 });
  const wave = (await findWave(kv, "first"))!.wave;
  await kv.commit(
    new Commit().set(["wave", "first"], { ...wave, state: "running", owes: true })
      .set(["open_wave", "first"], { by: "", until: 0 }),
  );
  const waves = wavesOf(kv);
  let steps = 0;
  while (await waves.makeCommit("first")) steps++;
  assert.ok(steps >= 2, `${steps}`);
  assert.equal(await stateOf(kv, "first"), "done");
});

test("waves.makeCommit() logs a warning when the work on a wave fails", async (kv) => {
  await kv.commit(
    new Commit().set(["wave", "first"], { state: "running" }).set(["open_wave", "first"], {
      by: "",
      until: 0,
    }),
  );
  const { lines, log } = recordLog("warn");
  assert.ok(!await wavesOf(kv, { log }).makeCommit("first"));
  assert.deepEqual(lines.map(({ event }) => event), [
    "work on a wave failed; will continue the wave later",
  ]);
});
