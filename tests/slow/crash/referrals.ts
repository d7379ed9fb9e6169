/**
 * The referrals of `deno task test:crash`: the process is killed at a random moment while people sign up by the links of
 * others, confirm and are erased. After each kill, all counts equal a recount. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { NO_OUTBOX } from "../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../server/store/people/change_records.ts";
import { checkLine } from "../../../server/store/people/line_check.ts";
import { checkReferrals } from "../../../server/store/people/referral_check.ts";
import type { StoredReferrer } from "../../../server/store/people/referral_changes.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { newReferralCode } from "../../../server/waitlist/referrals.ts";
import { giveReferralCode } from "../../../server/waitlist/transitions.ts";
import { makeStore, type StoreKind, type TrialStore } from "../../support/kv_stores.ts";
import { assertListsAgree } from "../../support/lists.ts";
import { addresses, mailVariables, makeAllDue } from "../../support/mail.ts";
import { listAll } from "../../support/memory_kv.ts";
import type { RuntimeName } from "../../support/process.ts";
import { fromNewSource, operate, type Serving, statusOf } from "../../support/process_requests.ts";
import { random, storeAddresses, storedSignUps } from "../../support/records.ts";
import { finish } from "../../support/recounts.ts";
import { form } from "../../support/service.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { Acknowledged, counterFindings, whileServing } from "../../support/victim.ts";
import { crashRounds, type Trial } from "./rounds.ts";

const LIFETIME_MS = 2_500;

const CONNECTIONS = 16;

/** The most people who wait for their letter or are to confirm. With more, few letters would come before a kill. */
const MAX_UNCONFIRMED = 100;

/** How long a connection waits for something to do, in milliseconds. */
const REST_MS = 5;

/** The people who have confirmed before the first kill. */
const REFERRERS = 40;

/** The people who recommend the most: half of the sign-ups come by their links. */
const POPULAR = 5;

/**
 * Kills processes at which people come by links, confirm and are erased. After each kill, each acknowledged sign-up,
 * confirmation and erasure is stored, and lists and counts agree with the records.
 */
export async function crashReferrals(rounds: number, kind: StoreKind, runtimes: RuntimeName[]) {
  await using store = await makeStore(kind);
  await using server = await startSmtpServer();
  const variables = { ...mailVariables(server), ...store.variables, REFERRALS: "on" };
  // A process makes the store's schema.
  await whileServing(variables, () => Promise.resolve());
  const people = createPeople(server, await storeReferrers(store));
  const findings: string[] = [];
  const trial: Trial = { store, variables, load: people.load, lifetimeMs: LIFETIME_MS, runtimes };
  let referrals = 0;
  for await (const { kv, findings: found } of crashRounds(trial, rounds)) {
    findings.push(...found, ...await countFindings(kv), ...await people.findingsIn(kv));
    referrals = Math.max(referrals, await countReferrals(kv));
    // The process of the next round would wait five minutes for the leases that this one has left.
    await makeAllDue(kv);
  }
  return {
    confirmed: people.confirmed.size,
    erased: people.erased.size,
    /** The most referrals that counted at one time. */
    referrals,
    /** What is wrong, in sentences. */
    findings,
  };
}

/** Stores some people who have confirmed, and gives their referral codes by address. */
async function storeReferrers(store: TrialStore): Promise<Map<string, string>> {
  using opened = await store.open();
  const at = new Date().toISOString();
  const emails = addresses(REFERRERS, "referrer");
  await storeAddresses(opened.kv, emails, at, {});
  const codes = emails.map((email) => [email, newReferralCode(random)] as const);
  const decisions = codes.map(([email, code]) => ({
    email,
    decide: (record?: SignUpRecord) => giveReferralCode(record!, code, at),
  }));
  await changeRecords(opened.kv, decisions, { outbox: NO_OUTBOX });
  return new Map(codes);
}

/**
 * Makes a client that signs people up, confirms their addresses by the links of their letters, and erases some.
 * @param referrers the referral codes of people on the list, by address
 */
function createPeople(server: SmtpServer, referrers: ReadonlyMap<string, string>) {
  const joined = new Set(referrers.keys());
  const confirmed = new Set(referrers.keys());
  const erased = new Set<string>();
  /** The people whose erasure was asked for, whether the call had an answer or not. */
  const erasing = new Set<string>();
  const refusals: string[] = [];
  /** The codes of people on the list, as they were after the last kill. */
  let codes = [...referrers.values()];
  let sent = 0;
  let letters = 0;

  const chooseCode = (): string | undefined => {
    const choice = Math.random() < 0.5 ? codes.slice(0, POPULAR) : codes;
    return choice[Math.floor(Math.random() * choice.length)];
  };

  /** Waits for something to do. It throws once the process is gone. */
  async function rest(service: Serving): Promise<void> {
    await statusOf(service.request("/ready"));
    await delay(REST_MS);
  }

  async function join(service: Serving): Promise<void> {
    if (joined.size - confirmed.size > MAX_UNCONFIRMED) return await rest(service);
    const email = addressOf(sent++);
    const code = chooseCode();
    const path = `/api/v1/waitlist${code === undefined ? "" : `?r=${code}`}`;
    const response = await service.request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...fromNewSource() },
      body: JSON.stringify({ email, consent: true }),
    });
    await expect(response, 200);
    joined.add(email);
  }

  async function confirm(service: Serving): Promise<void> {
    const letter = server.letters[letters];
    if (!letter) return await rest(service);
    const number = letters++;
    const email = letter.to[0]!;
    if (erasing.has(email)) return;
    const [token] = /(?<=\?t=)[\w.-]+/.exec(letter.mail.text ?? "") ?? [];
    const headers = fromNewSource();
    try {
      const response = await service.request("/place/confirm", {
        ...form({ t: token! }),
        headers,
      });
      // A letter may have been taken twice, and its person may have been erased meanwhile.
      if (erasing.has(email)) await response.body?.cancel();
      else await expect(response, 303);
    } catch (error) {
      // A later process gets the confirmation again.
      letters = Math.min(letters, number);
      throw error;
    }
    confirmed.add(email);
  }

  async function erase(service: Serving): Promise<void> {
    const left = [...confirmed].filter((email) => !erasing.has(email));
    const email = left[Math.floor(Math.random() * left.length)];
    // As many people stay as there were at first.
    if (email === undefined || left.length < REFERRERS) return await rest(service);
    erasing.add(email);
    await expect(await operate(service, "/signups/erase", { email }, fromNewSource()), 200);
    erased.add(email);
  }

  async function expect(response: Response, status: number): Promise<void> {
    const text = await response.text();
    if (response.status !== status) refusals.push(`${response.status} ${text.trim()}`);
  }

  /** What one connection does in turn. */
  const turn = [...Array.from({ length: 8 }, () => [join, confirm]).flat(), erase];

  async function connect(service: Serving, first: number): Promise<void> {
    try {
      for (let n = first;; n++) await turn[n % turn.length]!(service);
    } catch {
      // The connection broke: this call was not answered, and the process is gone.
    }
  }

  return {
    confirmed,
    erased,
    load: {
      acknowledged: new Acknowledged(),
      refusals,
      async run(service: Serving): Promise<void> {
        await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => connect(service, n)));
      },
    },
    /** Says which acknowledged calls are not stored, and learns the codes of the people on the list. */
    async findingsIn(kv: Kv): Promise<string[]> {
      const stored = await storedSignUps(kv);
      codes = Object.values(stored).flatMap(({ referralCode }) => referralCode ?? []);
      const isStored = (email: string) => Object.hasOwn(stored, email);
      const lost = [...joined.difference(erasing)].filter((email) => !isStored(email));
      const undone = [...confirmed.difference(erasing)]
        .filter((email) => stored[email]?.state !== "waiting");
      const back = [...erased].filter(isStored);
      return [
        ...lost.length > 0 ? [`${lost.length} acknowledged sign-ups have no record.`] : [],
        ...undone.length > 0 ? [`${undone.length} acknowledged confirmations are not stored.`] : [],
        ...back.length > 0 ? [`${back.length} erased people have a record.`] : [],
      ];
    },
  };
}

/** Gives the n-th address: some are aliases, and some are second addresses of a mailbox. */
function addressOf(n: number): string {
  if (n % 6 === 1) return `visitor${n - 1}+a@example.com`;
  if (n % 6 === 3) return `visitor${n}@gmail.com`;
  if (n % 6 === 4) return `visitor.${n - 1}@gmail.com`;
  return `visitor${n}@example.com`;
}

/** What is wrong with the counts, in sentences. */
async function countFindings(kv: Kv): Promise<string[]> {
  const findings = await counterFindings(kv, Date.now());
  const options = { repairs: false, progress: 0 };
  const line = await finish(checkLine(kv, options));
  if (line.length > 0) findings.push(`Counters of the line are wrong: ${JSON.stringify(line)}`);
  const referrals = await finish(checkReferrals(kv, options));
  if (referrals.length > 0) {
    findings.push(`Numbers of referrals are wrong: ${JSON.stringify(referrals)}`);
  }
  await assertListsAgree(kv).catch(({ message }: Error) => findings.push(message));
  return findings;
}

async function countReferrals(kv: Kv): Promise<number> {
  const referrers = await listAll<StoredReferrer>(kv, { prefix: ["referrer"] });
  return referrers.reduce((sum, { value }) => sum + value.referrals, 0);
}
