/** Fills a KV file with sign-ups, in a process of its own that leaves nothing in memory. @module */
import { newClient, STATS_SCOPE } from "../../../server/oauth/clients.ts";
import { createClient } from "../../../server/store/credentials/clients.ts";
import { createLog } from "../../../server/runtime/mod.ts";
import { upgradeStore } from "../../../server/store/kv/migrations/mod.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import { NO_OUTBOX } from "../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../server/store/people/change_records.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { giveReferralCode } from "../../../server/waitlist/transitions.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { outputOf } from "../../support/process.ts";
import { random, recordId } from "../../support/records.ts";
import { referralCode, REFERRERS, type Seed } from "./requests.ts";

/**
 * Adds sign-ups to a KV file, and a client.
 * @param letters whether letters that ask to confirm wait in the outbox, or the mail server took them so many days ago;
 * there are none if absent
 */
export async function seed(
  path: string,
  signUps: number,
  letters?: "wait" | number,
): Promise<Seed> {
  const args = [path, signUps, ...letters === undefined ? [] : [letters]].map(String);
  const { pathname } = new URL(import.meta.url);
  return { path, ...JSON.parse(await outputOf([Deno.execPath(), "run", "-A", pathname, ...args])) };
}

/** The sign-ups of a commit. */
const BATCH = 90;

async function fill([path = "", count = "0", letters]: string[]): Promise<void> {
  using store = await openKv({ kind: "file", path });
  const { kv } = store;
  const monotonic = () => performance.now();
  const log = createLog({ level: "warn", now: Date.now, write: console.error });
  // Otherwise, the service would take the records for those of an earlier version, and upgrade them.
  await upgradeStore({ ...store, random, monotonic, log });
  const asked = { name: "Benchmark", scopes: [STATS_SCOPE] };
  const { client, clientSecret } = newClient(asked, { now: Date.now(), random });
  await createClient(kv, client);
  const { complete } = createOutboxStore(kv, { monotonic });
  const options = letters ? { outbox: { sendsLetters: true, sendsEvents: false, random } } : {};
  const start = Date.now() - (Number(letters) || 0) * 24 * 60 * 60_000;
  for (let from = 0; from < Number(count); from += BATCH) {
    // The sign-ups without letters are spread over 2,000 hours.
    const at = letters ? start + from % 1_000 : start - from % 2_000 * 3_600_000;
    const length = Math.min(BATCH, Number(count) - from);
    const signUps = Array.from({ length }, (_, index) => ({
      signUp: letters ? { email: `asked${from + index}@example.com` } : {
        email: `seed${from + index}@example.com`,
        lang: "de" as const,
        source: "hero" as const,
      },
      at: new Date(at).toISOString(),
      id: recordId(),
    }));
    await storeSignUps(kv, signUps, options);
    if (from === 0 && !letters) await giveCodes(kv, signUps);
    if (!Number(letters)) continue;
    const entries = await readFirstItems(kv, "letters", { limit: BATCH });
    await Promise.all(entries.map((entry) => complete(entry, at)));
  }
  console.log(JSON.stringify({ clientId: client.clientId, clientSecret }));
}

/** Gives a referral code to each of the first people. */
async function giveCodes(
  kv: Kv,
  signUps: { signUp: { email: string }; at: string }[],
): Promise<void> {
  const decisions = signUps.slice(0, REFERRERS).map(({ signUp: { email }, at }, index) => ({
    email,
    decide: (record?: SignUpRecord) => giveReferralCode(record!, referralCode(index), at),
  }));
  await changeRecords(kv, decisions, { outbox: NO_OUTBOX });
}

if (import.meta.main) await fill(Deno.args);
