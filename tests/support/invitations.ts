/** People who wait to be invited, and waves that invite them. @module */
import assert from "node:assert/strict";
import { inviteWave, type WaveStep } from "../../server/store/invitations/invite.ts";
import { beginWave, readWave } from "../../server/store/invitations/mod.ts";
import type { ImportedSignUp } from "../../server/waitlist/import_line.ts";
import type { InvitationRequest } from "../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "./bulk_sign_ups.ts";
import { storedSignUps } from "./records.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/** Where the invitations of tests lead. */
export const LINK = "https://app.example.com/?code={code}";

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** The options of inviting; letters and events go into the outbox. */
export const INVITING = {
  outbox: { letters: true, events: true, random },
  now: () => START,
  random,
};

/** The address of the person who signed up as the n-th. Its place in an order by address is another one. */
export function nth(n: number): string {
  return `visitor${n * 7 % 10}-${n}@example.com`;
}

/** Stores so many people who wait, one a minute. */
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

/** Asks for a wave, to its end or to a step after which the work is cut. */
export async function inviteAll(
  kv: Kv,
  request: Partial<InvitationRequest>,
  { cutAfter = Infinity } = {},
): Promise<WaveStep> {
  const asked = { wave: "first", link: LINK, letters: true, ...request };
  const options = { ...INVITING, kv };
  const wave = await beginWave(kv, asked, { ...INVITING, now: START });
  assert.ok(!("conflict" in wave), JSON.stringify(wave));
  const all: WaveStep = { invited: 0, notInvited: [], wouldInvite: [] };
  for await (const { invited, notInvited, wouldInvite } of inviteWave(options, asked, wave)) {
    all.invited = invited;
    all.notInvited.push(...notInvited);
    all.wouldInvite.push(...wouldInvite);
    if (cutAfter-- === 0) break;
  }
  return all;
}

/** The addresses of the people in a wave, in its order. */
export async function membersOf(kv: Kv, wave = "first"): Promise<string[]> {
  return (await Array.fromAsync(readWave(kv, wave))).flat().map(({ email }) => email);
}

/** The addresses of the people who are invited, sorted. */
export async function invitedEmails(kv: Kv): Promise<string[]> {
  const records = Object.entries(await storedSignUps(kv));
  return records.filter(([, { state }]) => state === "invited").map(([email]) => email).toSorted();
}
