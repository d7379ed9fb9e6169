/** People who wait to be invited, waves that invite them, and checks of waves after concurrent work. @module */
import assert from "node:assert/strict";
import type { Runtime } from "../../server/runtime/mod.ts";
import { changeInvitation } from "../../server/store/invitations/codes.ts";
import { createWaveStore } from "../../server/store/invitations/mod.ts";
import { startSchedules } from "../../server/store/invitations/schedule_work.ts";
import { beginWave } from "../../server/store/invitations/begin_wave.ts";
import { findWave, readWaves } from "../../server/store/invitations/waves.ts";
import { startWaves } from "../../server/store/invitations/wave_work.ts";
import type { OutboxOptions } from "../../server/store/outbox/changes.ts";
import type { ImportedSignUp } from "../../server/waitlist/import_line.ts";
import { redeemInvitation, renewInvitation } from "../../server/waitlist/transitions.ts";
import type { NotInvited, WaveRequest } from "../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "./bulk_sign_ups.ts";
import { recordLog } from "./log.ts";
import { listAll } from "./memory_kv.ts";
import { OUTBOX, random, storedSignUps } from "./records.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { stateOfWave } from "../../server/waitlist/waves.ts";
import { assertListsAgree } from "./lists.ts";
import { assertCountersEqualRecount } from "./recounts.ts";

/** The link of the invitations of tests. */
export const LINK = "https://app.example.com/?code={code}";

/** The options of inviting. Letters and events go into the outbox. */
export const INVITING = {
  outbox: OUTBOX,
  now: () => START,
  random,
};

/** The address of the n-th person in the order of sign-ups. The order of addresses is different. */
export function nth(n: number): string {
  return `visitor${n * 7 % 10}-${n}@example.com`;
}

/** Stores `count` people who wait. One of them signed up each minute. */
export async function storeWaiting(
  kv: Kv,
  count: number,
  answersOf: (n: number) => Partial<ImportedSignUp> = () => ({}),
): Promise<void> {
  const people = Array.from({ length: count }, (_, n) => {
    const createdAt = new Date(START - (count - n) * 60_000).toISOString();
    return bulkSignUp(nth(n).replace("@example.com", ""), { createdAt, ...answersOf(n) });
  });
  await storeBulk(kv, people);
}

/** What a test may choose of the work of a process. */
export interface WorkChoices extends Partial<Pick<Runtime, "now" | "random" | "log">> {
  outbox?: OutboxOptions;
  yieldToCalls?: () => Promise<void>;
}

/** What the work of a process needs besides its store. It has no timers, so a test calls `run()` or `step()`. */
export function workWithoutTimers(
  {
    now = INVITING.now,
    random = INVITING.random,
    log = recordLog("warn").log,
    outbox = INVITING.outbox,
    yieldToCalls = () => Promise.resolve(),
  }: WorkChoices = {},
) {
  const repeat = () => ({ close: () => Promise.resolve() });
  return { runtime: { now, random, log, repeat }, outbox, yieldToCalls };
}

/** The work of a process on waves, without timers. */
export const wavesOf = (kv: Kv, choices?: WorkChoices) =>
  startWaves({ kv, ...workWithoutTimers(choices) });

/** The work of a process on schedules, without timers. It wakes no work on waves. */
export const schedulesOf = (kv: Kv, choices: WorkChoices) =>
  startSchedules({ kv, ...workWithoutTimers(choices), waves: { wake() {} } });

/**
 * What the operator's operations do with waves. They wake no work on waves, so that no work goes on after a test.
 *
 * @param now milliseconds since 1970
 */
export const waveStoreOf = (
  kv: Kv,
  now = START,
  waves = { ...wavesOf(kv, { now: () => now }), wake() {} },
) =>
  createWaveStore({
    ...INVITING,
    now: () => now,
    kv,
    longKv: kv,
    monotonic: () => 0,
    yieldToCalls: () => Promise.resolve(),
    waves,
  });

/** Starts a wave or finds it, and works on it to its end or for some commits; gives the wave and whom it cannot invite. */
export async function inviteAll(
  kv: Kv,
  request: Partial<WaveRequest> = {},
  { commits = Infinity, now = START } = {},
): Promise<{ state: string; invited: number; notInvited?: NotInvited[] }> {
  const { wave = "first", ...asked } = { link: LINK, letters: true, ...request };
  const options = { ...INVITING, now: () => now };
  const begun = await beginWave(wave, asked, undefined, { ...options, kv });
  assert.ok(!("conflict" in begun), JSON.stringify(begun));
  const waves = wavesOf(kv, options);
  while (commits-- > 0 && await waves.makeCommit(wave));
  // A wave that has invited nobody leaves no entry.
  const { invited, state = "" } = (await findWave(kv, wave))?.wave ?? { invited: 0 };
  return { invited, state, ...begun };
}

/** Begins a wave by name. */
export const beginByName = (
  kv: Kv,
  wave: string,
  emails: string[],
  others: Partial<WaveRequest> = {},
) => {
  const request = { emails, link: LINK, letters: true, ...others };
  return beginWave(wave, request, undefined, { ...INVITING, kv });
};

/** The addresses of the invitees, each with the ids of the waves. */
export async function inviteesOf(kv: Kv): Promise<[unknown, string][]> {
  const entries = await listAll<string>(kv, { prefix: ["wave_named"] });
  return entries.map(({ key, value }) => [key[1], value]);
}

/** The addresses of the people in a wave, in its order. */
export async function membersOf(kv: Kv, wave = "first"): Promise<string[]> {
  return (await listAll(kv, { prefix: ["wave_member", wave] })).map(({ key }) => String(key[3]));
}

/** The addresses of the people who are invited, sorted. */
export async function invitedEmails(kv: Kv): Promise<string[]> {
  const records = Object.entries(await storedSignUps(kv));
  return records.filter(([, { state }]) => state === "invited").map(([email]) => email).toSorted();
}

/** The code of a person's invitation, or a code of nobody if the person has none. */
export async function codeOf(kv: Kv, email: string): Promise<string> {
  return (await storedSignUps(kv))[email]?.invitationCode ?? "none";
}

/** Redeems a code for an account. @param at a date-time */
export const redeem = (
  kv: Kv,
  code: string,
  { at, reference }: { at: string; reference: string },
) =>
  changeInvitation(kv, { code }, (record) => redeemInvitation(record, { at, reference }), INVITING);

/** Lets a person accept an invitation until another moment. */
export const renew = async (kv: Kv, email: string, times: { at: string; expiresAt: string }) =>
  await changeInvitation(
    kv,
    { code: await codeOf(kv, email) },
    (record) => renewInvitation(record, times),
    INVITING,
  );

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
