/** What is owed to people lasts over a backup and its restore: waves, invitations that were not taken, and complaints. */
import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../server/store/people/commit_size.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readOne } from "../../../server/store/kv/calls.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { backup, begin, endOf, finish, type Lines, send } from "../../support/backups.ts";
import { inviteAll, nth, storeWaiting } from "../../support/invitations.ts";
import { listAll } from "../../support/memory_kv.ts";
import { call, type OperatedService, startOperatedService } from "../../support/operator.ts";
import { everyEntry, storedSignUps } from "../../support/records.ts";
import { signUp, START, WITH_MAIL } from "../../support/service.ts";

const lettersThatWait = async ({ kv }: OperatedService) =>
  (await readFirstItems(kv, "invitations", { limit: 500 })).map(({ item }) => item.email);

/** Restores lines in the order in which the CLI sends them. */
async function restore(service: OperatedService, lines: Lines): Promise<void> {
  const early = ["sign_up", "named"];
  const { sha256 } = endOf(lines);
  await (await begin(service, lines)).body?.cancel();
  for (
    const part of [
      lines.filter(({ kind }) => !early.includes(String(kind))),
      lines.filter(({ kind }) => kind === "sign_up"),
      lines.filter(({ kind }) => kind === "named"),
    ]
  ) await (await send(service, part, sha256)).body?.cancel();
  assert.equal((await finish(service, lines))?.agrees, true);
}

Deno.test("A restored wave continues when it is resumed, and each person gets one letter", async () => {
  await using old = await startOperatedService(WITH_MAIL);
  await storeWaiting(old.kv, 110);
  const begun = await inviteAll(old.kv, { next: 100 }, { commits: 1 });
  assert.deepEqual([begun.state, begun.invited], ["running", PEOPLE_IN_COMMIT]);
  const outbox = createOutboxStore(old.kv);
  const [refused, ...due] = await readFirstItems(old.kv, "invitations", {
    limit: PEOPLE_IN_COMMIT - 1,
  });
  for (const entry of due) await outbox.complete(entry, START);
  await outbox.postpone(refused!, { ...refused!.item, queue: "refused", dueAt: START });
  const lines = await backup(old);
  assert.deepEqual(
    lines.flatMap(({ kind, counts }) => kind === "wave" ? counts : []),
    [{
      taken: PEOPLE_IN_COMMIT - 2,
      refused: 1,
      accepted: 0,
      dropped: 0,
      cameBack: 0,
      notSendable: 0,
    }],
  );

  await using service = await startOperatedService(WITH_MAIL);
  await restore(service, lines);
  const restored = await call(service, "/waves/first");
  assert.deepEqual(
    [restored.state, restored.invited, restored.taken, restored.refused],
    ["paused", PEOPLE_IN_COMMIT, PEOPLE_IN_COMMIT - 2, 1],
  );
  await service.repeatOnce();
  assert.deepEqual(await lettersThatWait(service), [], "nothing is sent by itself");

  await call(service, "/waves/first/resume", undefined, "POST");
  // The timers would send letters as well.
  const show = () => call(service, "/waves/first");
  while ((await show()).state === "running") await nextTurn();
  const { state, invited, lettersAgain, ...counts } = await show();
  assert.deepEqual([state, invited, lettersAgain, counts.refused], ["done", 100, 2, 0]);
  const taken = due.map(({ item }) => item.email);
  const first = Array.from({ length: 100 }, (_, n) => nth(n));
  assert.deepEqual([...taken, ...await lettersThatWait(service)].toSorted(), first.toSorted());
});

Deno.test("A restore pauses a finished wave only if letters of this wave still waited when the backup was made", async () => {
  await using old = await startOperatedService(WITH_MAIL);
  await storeWaiting(old.kv, 4);
  await inviteAll(old.kv, { wave: "taken", next: 1 });
  const [letter] = await readFirstItems(old.kv, "invitations", { limit: 1 });
  await createOutboxStore(old.kv).complete(letter!, START);
  await inviteAll(old.kv, { wave: "by_post", next: 1, letters: false });
  await inviteAll(old.kv, { wave: "waiting", next: 2 });
  await using service = await startOperatedService(WITH_MAIL);
  await restore(service, await backup(old));
  const { waves } = await call(service, "/waves");
  assert.deepEqual(waves.map(({ wave, state }: Record<string, unknown>) => [wave, state]), [
    ["waiting", "paused"],
    ["taken", "done"],
    ["by_post", "done"],
  ]);
});

Deno.test("A restored wave for named addresses invites all these addresses except erased addresses, and stores no erased address", async () => {
  await using old = await startOperatedService(WITH_MAIL);
  await storeWaiting(old.kv, 110);
  const emails = Array.from({ length: 100 }, (_, n) => nth(n));
  await inviteAll(old.kv, { wave: "named", emails }, { commits: 1 });
  const left = (await listAll(old.kv, { prefix: ["wave_named"] })).map(({ key }) => String(key[1]));
  assert.equal(left.length, 100 - PEOPLE_IN_COMMIT);
  const lines = await backup(old);
  assert.equal((endOf(lines).counts as Record<string, number>).named, 100 - PEOPLE_IN_COMMIT);

  // The mark of an erasure after the backup lies beside it.
  const [gone] = left;
  await call(old, "/signups/erase", { email: gone });
  const later = (await backup(old)).filter(({ kind }) =>
    kind === "erased" || kind === "erasure_key"
  );
  await using service = await startOperatedService(WITH_MAIL);
  await restore(service, [...lines.slice(0, -1), ...later, lines.at(-1)!]);
  assert.ok(!JSON.stringify(await everyEntry(service.kv)).includes(gone!));
  await call(service, "/waves/named/resume", undefined, "POST");
  await service.repeatOnce();
  const { state, invited } = await call(service, "/waves/named");
  assert.deepEqual([state, invited], ["done", 99]);
  const records = Object.entries(await storedSignUps(service.kv));
  const reached = records.flatMap(([email, { wave }]) => wave ? email : []);
  assert.deepEqual(reached.toSorted(), emails.filter((email) => email !== gone).toSorted());
});

Deno.test("Restored complaints and letter limits prevent further letters, also in a store with another erasure key", async () => {
  await using old = await startOperatedService(WITH_MAIL);
  assert.equal(await signUp(old, "ada@example.com"), 200);
  assert.equal(await signUp(old, "bob+news@example.com"), 200);
  await call(old, "/signups/erase", { email: "ada@example.com" });
  const [letterLimit] = await listAll<object>(old.kv, { prefix: ["brake"] });
  await old.kv.commit(
    new Commit().set(letterLimit!.key, { letters: [], complainedAt: "2026-11-20T08:00:00.000Z" }),
  );
  const lines = await backup(old);

  await using service = await startOperatedService(WITH_MAIL);
  assert.equal(await signUp(service, "early@example.com"), 200);
  await call(service, "/signups/erase", { email: "early@example.com" });
  const own = await listAll(service.kv, { prefix: ["brake"] });
  await restore(service, lines);
  assert.equal((await listAll(service.kv, { prefix: ["brake"] })).length, own.length + 2);
  assert.equal(await signUp(service, "ada@example.com"), 200);
  assert.equal(await signUp(service, "bob+other@example.com"), 200);
  const { value: ada } = await readOne<SignUpRecord>(service.kv, ["sign_up", "ada@example.com"]);
  const { value: bob } = await readOne<SignUpRecord>(service.kv, [
    "sign_up",
    "bob+other@example.com",
  ]);
  assert.equal(Number(ada?.outbox?.length ?? 0) + Number(bob?.outbox?.length ?? 0), 0);
  assert.equal(await signUp(service, "new@example.com"), 200);
  assert.equal((await readFirstItems(service.kv, "letters", { limit: 9 })).length, 1);
});

Deno.test("restoreLines accepts backups of earlier versions, which have no schedules, waves and letter limits", async (t) => {
  await using old = await startOperatedService();
  await storeWaiting(old.kv, 3);
  const lines = await backup(old);
  const { schedules: _, ...third } = endOf(lines).counts as Record<string, number>;
  const { waves: _waves, named: _named, brakes: _brakes, ...second } = third;
  for (const [version, counts] of [[3, third], [2, second]] as const) {
    await t.step(`version ${version}`, async () => {
      const before = [{ ...lines[0], version }, ...lines.slice(1, -1), { ...lines.at(-1), counts }];
      await using service = await startOperatedService();
      await restore(service, before);
      assert.deepEqual(await storedSignUps(service.kv), await storedSignUps(old.kv));
    });
  }
});
