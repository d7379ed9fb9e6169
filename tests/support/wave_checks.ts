/** Checks waves, codes and accounts after several processes have worked on them at the same time. @module */
import assert from "node:assert/strict";
import { readWaves } from "../../server/store/invitations/waves.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { stateOfWave } from "../../server/waitlist/waves.ts";
import { membersOf } from "./invitations.ts";
import { assertListsAgree } from "./lists.ts";
import { storedSignUps } from "./records.ts";
import { assertCountersEqualRecount } from "./recounts.ts";

/** A redeemed code, and the account. */
export interface Redeemed {
  code: string;
  reference: string;
}

/**
 * Asserts that no wave runs, or is over its number, or has stopped short of it; that no code is given or redeemed
 * twice; and that counters and lists agree with the records. Gives how many have accepted.
 * @param next the most that each wave may invite
 */
export async function assertWavesHold(
  kv: Kv,
  next: Record<string, number>,
  redeemed: Redeemed[],
): Promise<number> {
  const accounts = Map.groupBy(redeemed, ({ code }) => code);
  for (const [code, each] of accounts) {
    assert.equal(new Set(each.map(({ reference }) => reference)).size, 1, code);
  }
  const records = Object.values(await storedSignUps(kv));
  const codes = records.flatMap(({ invitationCode }) => invitationCode ?? []);
  assert.equal(new Set(codes).size, codes.length, "no code is given twice");
  const isAnybodyLeft = records.some(({ state }) => state === "waiting");
  for await (const { entries } of readWaves(kv)) {
    for (const { value: { id, wave, counts } } of entries) {
      const most = next[id] ?? 0, state = stateOfWave(wave);
      const members = records.filter((record) => record.wave === id);
      const shown = `${id} ${state} ${wave.invited} of ${most}`;
      assert.ok(members.length <= wave.invited && wave.invited <= most, shown);
      assert.notEqual(state, "running", shown);
      assert.ok(state !== "done" || wave.invited === most || !isAnybodyLeft, shown);
      // A person who has left still counts.
      assert.ok(members.filter(({ state }) => state === "accepted").length <= counts.accepted);
      assert.equal((await membersOf(kv, id)).length, members.length);
    }
  }
  const accepted = records.filter(({ state }) => state === "accepted");
  for (const { invitationCode, reference } of accepted) {
    assert.equal(accounts.get(invitationCode!)?.[0]?.reference, reference);
  }
  await assertCountersEqualRecount(kv);
  await assertListsAgree(kv);
  return accepted.length;
}
