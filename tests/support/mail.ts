/** Services whose letters go to a mail server of the test, and checks of these letters. @module */
import assert from "node:assert/strict";
import { createMailState } from "../../server/store/outbox/mail_state.ts";
import { readFirstItems } from "../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../server/store/people/outbox_commits.ts";
import { OPERATOR_KEY } from "./operator.ts";
import type { TestVariables } from "./process.ts";
import { fromNewSource, operate, sendSignUp, type Serving } from "./process_requests.ts";
import type { ReceivedLetter, SmtpServer } from "./smtp_server.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/** A limit of letters a minute for which no test waits. */
const UNLIMITED = 60_000;

/** Variables of a service whose letters go to a server. */
export function mailVariables({ url }: Pick<SmtpServer, "url">, perMinute = UNLIMITED) {
  return {
    MAIL_URL: url,
    MAIL_FROM: "Example Company <hello@example.com>",
    MAIL_PER_MINUTE: String(perMinute),
    TRUSTED_PROXY_HOPS: "1",
    OPERATOR_KEY,
  } satisfies TestVariables;
}

/** Different addresses. */
export function addresses(count: number, name = "visitor"): string[] {
  return Array.from({ length: count }, (_, n) => `${name}${n}@example.com`);
}

/** Connections that sign up side by side. */
const CONNECTIONS = 32;

let signUps = 0;

/** Gives the items, one at a time, to all loops that share the generator. A loop that throws ends the others as well. */
function* shared<Item>(items: Item[]): Generator<Item> {
  yield* items;
}

/** How often a sign-up is sent at most. */
const MOST_TRIES = 5;

/**
 * Signs addresses up, each from a network of its own. A sign-up that is answered 500 is sent again, as a visitor would
 * do, because a store on a busy machine may not answer in time. If it was stored all the same, the limit of letters keeps
 * a second letter back. Sends no further sign-up once one has failed for good, because the sign-ups would otherwise go on
 * after the end of the test.
 * @returns how many requests were answered 500
 * @throws unless all are accepted
 */
export async function joinAll(service: Serving, emails: string[]): Promise<number> {
  const left = shared(emails);
  let failures = 0;
  async function joinInTurn(): Promise<void> {
    for (const email of left) {
      const signUp = { email, lang: signUps++ % 2 ? "en" : "de" };
      for (let tries = 1;; tries++) {
        const response = await sendSignUp(service, signUp);
        const text = await response.text();
        if (response.status === 200) break;
        assert.ok(response.status === 500 && tries < MOST_TRIES, `${response.status} ${text}`);
        failures++;
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, joinInTurn));
  return failures;
}

/**
 * Waits until nothing is due. A mail server reports a letter before the service knows that it was taken, and a service
 * that stops waits one second for the letters that it is sending.
 */
export async function allNoted(service: Serving): Promise<void> {
  for (;;) {
    const response = await operate(service, "/outbox/list", { limit: 1 }, fromNewSource());
    const text = await response.text();
    assert.equal(response.status, 200, text);
    if (JSON.parse(text).items.length === 0) return;
  }
}

/** How many letters a server took for each address. */
export function lettersByAddress({ letters }: SmtpServer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { to: [email = ""] } of letters) counts.set(email, (counts.get(email) ?? 0) + 1);
  return counts;
}

/** Asserts that a server took one letter for each of some addresses, and no other letter. */
export function assertOneLetterEach(server: SmtpServer, emails: string[]): void {
  const counts = lettersByAddress(server);
  assert.deepEqual([...counts.keys()].sort(), emails.toSorted());
  assert.deepEqual([...new Set(counts.values())], [1]);
}

/** The id of a letter, which is the same over all attempts. */
export function letterId({ mail }: ReceivedLetter): string {
  return /^<([^@]+)@/.exec(mail.messageId ?? "")?.[1] ?? "";
}

/**
 * Checks the letters that a server took: one letter for each address. A letter may be taken once more for each time that a
 * process was killed while it sent the letter.
 * @param wanted addresses that must have a letter
 * @param cuts how often each letter was cut by a kill, by its id
 * @returns what is wrong, in sentences
 */
export function letterFaults(
  { letters }: SmtpServer,
  { wanted, cuts }: { wanted: Iterable<string>; cuts: Map<string, number> },
): string[] {
  const faults: string[] = [];
  for (const [id, same] of Map.groupBy(letters, letterId)) {
    const most = 1 + (cuts.get(id) ?? 0);
    if (same.length <= most) continue;
    faults.push(`A letter was taken ${same.length} times; at most ${most} is right.`);
  }
  const byAddress = Map.groupBy(letters, ({ to }) => to.join());
  for (const own of byAddress.values()) {
    if (new Set(own.map(letterId)).size > 1) faults.push("An address has two different letters.");
  }
  const without = [...wanted].filter((email) => !byAddress.has(email)).length;
  if (without > 0) faults.push(`${without} addresses have no letter.`);
  return faults;
}

/**
 * Makes items due at once that wait for a lease, a next try or the end of a pause, in a store without a process. The
 * clock of a process cannot be moved, and a lease alone lasts five minutes.
 * @returns the ids of the letters that had been claimed, or tried in vain
 */
export async function makeAllDue(kv: Kv): Promise<Set<string>> {
  const store = createOutboxStore(kv);
  const tried = new Set<string>();
  for (const queue of ["letters", "invitations"] as const) {
    for (const entry of await readFirstItems(kv, queue, { limit: Number.MAX_SAFE_INTEGER })) {
      if (entry.item.tries === 0) continue;
      tried.add(entry.id);
      assert.ok(await store.postpone(entry, { ...entry.item, dueAt: entry.item.putAt }));
    }
  }
  await createMailState(kv).resume();
  return tried;
}
