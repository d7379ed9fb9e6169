/** Waves by name, while other waves, erasures, corrections and backups come between. */
import assert from "node:assert/strict";
import { backUp } from "../../../../server/store/backup/back_up.ts";
import { restoreLines } from "../../../../server/store/backup/restore_lines.ts";
import { sweep } from "../../../../server/store/expiry/sweep.ts";
import { beginWave } from "../../../../server/store/invitations/begin_wave.ts";
import { findWave } from "../../../../server/store/invitations/waves.ts";
import { findValue } from "../../../../server/store/kv/calls.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readBackupLine } from "../../../../shared/backup_lines.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import {
  beginByName,
  inviteAll,
  inviteesOf,
  INVITING,
  LINK,
  membersOf,
  nth,
  storeWaiting,
  wavesOf,
  waveStoreOf,
} from "../../../support/invitations.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "pauseWave" };

async function change(kv: Kv, wave: string, to: "pause" | "resume" | "cancel", now = START) {
  const changed = await waveStoreOf(kv, now).changeWave(wave, to, AUDIT);
  assert.ok(typeof changed === "object" && "state" in changed, JSON.stringify(changed));
}

const invitedBy = async (kv: Kv, wave: string) => {
  const { invited, state } = (await findWave(kv, wave))!.wave;
  return [state, invited];
};

for (const traits of [undefined, REMOTE_TRAITS]) {
  Deno.test(`workOnWave() invites people who are also invitees of other waves (${traits ? "few" : "many"} checks in a commit)`, async () => {
    using kv = await openMemoryKv({ ...traits && { traits } });
    await storeWaiting(kv, 60, (n) => n === 0 ? { state: "unconfirmed" } : {});
    const all = Array.from({ length: 60 }, (_, n) => nth(n));
    await beginByName(kv, "first", all);
    await change(kv, "first", "pause");
    // One wave passes over a person, one is cancelled, and one invites a person.
    await inviteAll(kv, { wave: "second", emails: [nth(0)] });
    await beginByName(kv, "third", all.slice(0, 5));
    await change(kv, "third", "cancel");
    await inviteAll(kv, { wave: "fourth", emails: [nth(1)] });
    await change(kv, "first", "resume");
    await wavesOf(kv, { now: () => START + 30_000 }).run();
    assert.deepEqual(await invitedBy(kv, "first"), ["done", 58]);
    assert.deepEqual(await membersOf(kv, "first"), all.slice(2));
    assert.deepEqual(await inviteesOf(kv), []);
  });
}

test("workOnWave() passes over an unconfirmed person, who stays an invitee of another wave", async (kv) => {
  await storeWaiting(kv, 1, () => ({ state: "unconfirmed" }));
  await beginByName(kv, "first", [nth(0)]);
  await change(kv, "first", "pause");
  await inviteAll(kv, { wave: "second", emails: [nth(0)] });
  assert.deepEqual(await inviteesOf(kv), [[nth(0), "first"]]);
});

test("workOnWave() does not invite a person who was erased and has signed up again since the wave began", async (kv) => {
  await storeWaiting(kv, 2);
  const key = ["sign_up", nth(1)];
  const again = async () => {
    const record = await findValue(kv, key);
    await eraseSignUp(kv, nth(1), { now: START, random: INVITING.random });
    await kv.commit(new Commit().set(key, record));
  };
  await beginByName(kv, "first", [nth(0), nth(1)]);
  // The first commit is that of the claim.
  await wavesOf(racingKv(kv, again, 2)).run();
  assert.deepEqual(await membersOf(kv), [nth(0)]);
});

test("correctAddress() makes the new address an invitee of a wave that begins during the correction", async (kv) => {
  await storeWaiting(kv, 1);
  const racing = racingKv(kv, () => beginByName(kv, "second", [nth(0)]));
  const newEmail = "corrected@example.com";
  await correctAddress({ email: nth(0), newEmail }, {
    ...{ kv: racing, outbox: { ...INVITING.outbox, sendsLetters: false }, now: START },
    ...{ random: INVITING.random, findInvitationUrl: () => Promise.resolve(undefined) },
  });
  assert.deepEqual(await inviteesOf(kv), [[newEmail, "second"]]);
});

test("removeInvitees() removes the invitees of a wave after the invitations of the wave have expired", async (kv) => {
  await storeWaiting(kv, 70);
  const expires = new Date(START + 1).toISOString();
  const all = Array.from({ length: 60 }, (_, n) => nth(n));
  await beginByName(kv, "ended", all, { expires });
  await beginByName(kv, "paused", all, { expires });
  await change(kv, "paused", "pause");
  await beginByName(kv, "other", [nth(0)], { expires: new Date(START + 120_000).toISOString() });
  await change(kv, "other", "pause");
  await sweep(kv, START);
  assert.equal((await inviteesOf(kv)).length, 60);
  await wavesOf(kv, { now: () => START + 1 }).run();
  assert.deepEqual(await invitedBy(kv, "ended"), ["paused", 0]);
  await sweep(kv, START + 1);
  assert.deepEqual(await inviteesOf(kv), [[nth(0), "other"]]);
});

test("sweep() removes the invitees of a wave that does not exist, and keeps the invitees of an existing wave", async (kv) => {
  await storeWaiting(kv, 2);
  await beginByName(kv, "absent", [nth(0)]);
  await beginByName(kv, "begun", [nth(1)]);
  await kv.commit(new Commit().delete(["wave", "absent"]));
  await sweep(kv, START);
  assert.deepEqual(await inviteesOf(kv), [[nth(1), "begun"]]);
});

test("sweep() keeps an unreadable invitee, which the next backup reports and a later wave overwrites", async (kv) => {
  await storeWaiting(kv, 2);
  await beginByName(kv, "other", [nth(1)]);
  await change(kv, "other", "cancel");
  await kv.commit(new Commit().set(["wave_named", nth(0)], 7).set(["wave_named", nth(1)], "other"));
  await sweep(kv, START);
  assert.deepEqual(await inviteesOf(kv), [[nth(0), 7]]);
  const lines = await backupAround(kv, () => Promise.resolve());
  const unreadable = lines.flatMap((line) => line.kind === "unreadable" ? line.unreadable : []);
  const reason = "The value does not have the right form.";
  assert.deepEqual(unreadable, [{ key: ["wave_named", nth(0)], reason }]);
  await beginByName(kv, "first", [nth(0)]);
  assert.deepEqual(await inviteesOf(kv), [[nth(0), "first"]]);
});

/** The lines of a backup, after something else happens when its first sign-ups are read. */
async function backupAround(kv: Kv, meanwhile: () => Promise<unknown>) {
  const texts: string[] = [];
  for await (const text of backUp(kv, START)) {
    if (texts.push(text) === 2) await meanwhile();
  }
  return texts.join("").trimEnd().split("\n").map((line) => readBackupLine(line)!);
}

test("backUp() leaves out a wave that has a list of addresses when the wave begins during the backup", async (kv) => {
  await storeWaiting(kv, 400);
  const lines = await backupAround(kv, async () => {
    await beginByName(kv, "named", [nth(0), nth(399)]);
    await beginWave("next", { next: 2, link: LINK, letters: true }, undefined, {
      ...INVITING,
      kv,
    });
  });
  assert.deepEqual(lines.flatMap((line) => line.kind === "wave" ? line.id : []), ["next"]);
});

test("restoreLines() restores a person as an invitee of two waves", async (kv) => {
  await storeWaiting(kv, 60);
  const all = Array.from({ length: 60 }, (_, n) => nth(n));
  const earlier = { ...INVITING, kv, now: () => START - 1 };
  for (const wave of ["first", "second"]) {
    await beginWave(wave, { emails: all, link: LINK, letters: true }, undefined, earlier);
  }
  const lines = await backupAround(kv, () => Promise.resolve());
  assert.equal(lines.filter(({ kind }) => kind === "named").length, 120);
  using restored = await openMemoryKv();
  await restoreLines({ kv: restored, random: INVITING.random }, lines, { now: START });
  assert.deepEqual(await inviteesOf(restored), await inviteesOf(kv));
});
