/**
 * The jobs, imports and notes of `deno task test:crash`: the process is killed at a random moment while an operator
 * imports people, writes notes on them, and starts jobs that remind and erase them. A mail server takes the reminders,
 * which it counts. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { JOB_WORK } from "../../../server/store/kv/keys.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { checkLine } from "../../../server/store/people/line_check.ts";
import { type Job, JOB_ACTIONS, type JobAct } from "../../../server/waitlist/jobs.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { makeStore, type StoreKind } from "../../support/kv_stores.ts";
import { assertListsAgree } from "../../support/lists.ts";
import { allNoted, letterFaults, mailVariables, makeAllDue } from "../../support/mail.ts";
import { listAll } from "../../support/memory_kv.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { RuntimeName } from "../../support/process.ts";
import { fromNewSource, operate, type Serving, statusOf } from "../../support/process_requests.ts";
import { type ComparableRecord, everyEntry, storedSignUps } from "../../support/records.ts";
import { finish } from "../../support/recounts.ts";
import { ndjson } from "../../support/service.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { Acknowledged, startVictim, whileServing } from "../../support/victim.ts";
import { crashRounds, type Trial } from "./rounds.ts";

const LIFETIME_MS = 1_500;

/** The people of an import. A job acts on the `MOST` first people of a group, so that people are left over. */
const GROUPS = { erase: 120, remind: 120, keep: 160 } as const;

type Group = keyof typeof GROUPS;

/** So many people that a job takes several commits. */
const MOST = 100;

const ACTS = ["erase", "remind"] as const satisfies JobAct[];

/** How long ago the imported people gave consent, in milliseconds. Nobody expires so soon. */
const CONSENT_AGE_MS = 3_600_000;

/** The time between two looks at a job, in milliseconds. */
const REST_MS = 10;

/**
 * Kills processes at which people are imported, notes are written, and jobs run. After each kill, each acknowledged
 * line of an import and each acknowledged note is stored, no job has acted on more people than it may or twice on one,
 * and lists and counters agree with the records. At the end, each job is done with exactly its number of people, each
 * reminded person has one letter, and no note on an erased person is left.
 */
export async function crashJobs(rounds: number, kind: StoreKind, runtimes: RuntimeName[]) {
  await using store = await makeStore(kind);
  await using server = await startSmtpServer();
  const variables = { ...mailVariables(server), ...store.variables };
  // A process makes the store's schema.
  await whileServing(variables, () => Promise.resolve());
  const work = createWork();
  const cuts = new Map<string, number>();
  const findings: string[] = [];
  let underWay = 0;
  const trial: Trial = { store, variables, load: work.load, lifetimeMs: LIFETIME_MS, runtimes };
  for await (const { kv, findings: found } of crashRounds(trial, rounds)) {
    findings.push(...found, ...await work.findingsIn(kv), ...await listFindings(kv));
    const jobs = await listAll<Job>(kv, { prefix: ["job"] });
    if (jobs.some(({ value }) => value.state === "running")) underWay++;
    // The process of the next round would wait a minute for the lease of the jobs, and five for the leases of letters.
    await kv.commit(new Commit().delete(JOB_WORK));
    for (const id of await makeAllDue(kv)) cuts.set(id, (cuts.get(id) ?? 0) + 1);
  }

  const victim = startVictim(variables);
  const serving = await victim.serving;
  if (!serving) throw new Error("The last process does not listen");
  await work.finish(serving);
  await allNoted(serving);
  await victim.end("SIGTERM");
  using opened = await store.open();
  const { kv } = opened;
  findings.push(...await work.findingsIn(kv), ...await listFindings(kv), ...await noteFindings(kv));
  const jobs = (await listAll<Job>(kv, { prefix: ["job"] })).map(({ value }) => value);
  const undone = jobs.filter(({ state, done }) => state !== "done" || done !== MOST).length;
  if (undone > 0) findings.push(`${undone} jobs did not end with ${MOST} people.`);
  const stored = await storedSignUps(kv);
  const wanted = Object.keys(stored).filter((email) => timesAsked(stored[email]) > 0);
  findings.push(...letterFaults(server, { wanted, cuts }), ...work.load.refusals);
  return {
    jobs: jobs.length,
    /** Kills after which a job was running. */
    underWay,
    /** The people on whom jobs have acted. */
    people: jobs.reduce((sum, { done }) => sum + done, 0),
    /** The acknowledged lines of imports. */
    lines: work.imported() * sizeOf(GROUPS),
    /** The people with acknowledged notes. */
    notes: work.notes.size,
    /** What is wrong, in sentences. */
    findings,
  };
}

const sizeOf = (groups: Record<Group, number>) =>
  Object.values(groups).reduce((sum, count) => sum + count, 0);

/** Gives the n-th address of a group in an import. */
const addressOf = (number: number, group: Group, n: number) =>
  `import-${number}-${group}-${n}@example.com`;

const addressesOf = (number: number, group: Group): string[] =>
  Array.from({ length: GROUPS[group] }, (_, n) => addressOf(number, group, n));

const jobIdOf = (number: number, act: JobAct) => `${act}-${number}`;

/** How often a person was asked to confirm. */
const timesAsked = (record?: ComparableRecord): number => record?.confirmations?.count ?? 0;

/** Makes an operator who imports people and starts the jobs for them, import after import, and writes notes meanwhile. */
function createWork() {
  /** The number of the present import, and how far it has come. A later process goes on with it. */
  let number = 0;
  let isImported = false;
  /** Whether the present import is the last one. */
  let isEnding = false;
  const started = new Set<string>();
  const notes = new Map<string, string | null>();
  /** The note that has no answer yet. */
  let openNote: { email: string; note: string | null } | undefined;
  let written = 0;
  const refusals: string[] = [];

  /** How many imports were acknowledged. The first ones are. */
  const imported = () => isImported ? number + 1 : number;

  async function expect(response: Response, allowed = [200]): Promise<string> {
    const text = await response.text();
    if (!allowed.includes(response.status)) refusals.push(`${response.status} ${text.trim()}`);
    return text;
  }

  async function importPeople(service: Serving): Promise<void> {
    const consentedAt = new Date(Date.now() - CONSENT_AGE_MS).toISOString();
    const lines = (Object.keys(GROUPS) as Group[]).flatMap((group) =>
      addressesOf(number, group).map((email) => {
        const state = group === "remind" ? "unconfirmed" : "waiting";
        return { email, consentedAt, role: group, state };
      })
    );
    const response = await service.request("/operator/v1/signups/import", {
      ...ndjson(lines),
      headers: {
        Authorization: `Bearer ${OPERATOR_KEY}`,
        "Content-Type": "application/x-ndjson",
        ...fromNewSource(),
      },
    });
    const { refused } = JSON.parse(await expect(response));
    if (refused !== 0) refusals.push(`${refused} lines of an import were refused.`);
    isImported = true;
  }

  /** Starts a job, or finds it where an earlier process has started it, and waits for its end. */
  async function doJob(service: Serving, act: JobAct): Promise<void> {
    const job = jobIdOf(number, act);
    const selection = { role: act, search: `import-${number}-` };
    const body = { job, act, selection, most: MOST };
    await expect(await operate(service, "/jobs", body, fromNewSource()));
    started.add(job);
    for (;;) {
      const headers = { Authorization: `Bearer ${OPERATOR_KEY}`, ...fromNewSource() };
      const shown = await service.request(`/operator/v1/jobs/${job}`, { headers });
      if (JSON.parse(await expect(shown)).state !== "running") return;
      await delay(REST_MS);
    }
  }

  async function workOnImports(service: Serving): Promise<void> {
    do {
      if (!isImported) await importPeople(service);
      await Promise.all(ACTS.map((act) => doJob(service, act)));
      number++;
      isImported = false;
    } while (!isEnding);
  }

  /** Writes and removes notes on people of the present import and of the one before it. */
  async function writeNotes(service: Serving): Promise<void> {
    while (!isEnding) {
      openNote ??= nextNote();
      if (!openNote) {
        // Nobody is imported yet. This call fails once the process is gone.
        await statusOf(service.request("/ready"));
        await delay(REST_MS);
        continue;
      }
      const response = await operate(service, "/signups/note", openNote, fromNewSource());
      // The person may be erased meanwhile.
      await expect(response, openNote.email.includes("-erase-") ? [200, 404] : [200]);
      if (response.status === 200) notes.set(openNote.email, openNote.note);
      openNote = undefined;
    }
  }

  function nextNote(): typeof openNote {
    if (imported() === 0) return undefined;
    const n = written++;
    const group = (["erase", "keep", "remind"] as const)[n % 3]!;
    // Every fourth person loses the note again.
    const email = addressOf(imported() - 1, group, Math.floor(n / 6) % GROUPS[group]);
    const note = Math.floor(n / 3) % 8 === 7 ? null : `Note ${n} on ${email}`;
    return { email, note };
  }

  /** Says which imports and notes are not stored although they were acknowledged. */
  function lostPeople(stored: Record<string, ComparableRecord>): string[] {
    const isStored = (email: string) => Object.hasOwn(stored, email);
    const numbers = Array.from({ length: imported() }, (_, each) => each);
    const lasting = (["remind", "keep"] as const).flatMap((group) =>
      numbers.flatMap((each) => addressesOf(each, group))
    );
    const lost = lasting.filter((email) => !isStored(email)).length;
    const wrong = [...notes].filter(([email, note]) => {
      if (!isStored(email)) return false;
      const kept = stored[email]!.note ?? null;
      return kept !== note && !(openNote?.email === email && openNote.note === kept);
    }).length;
    return [
      ...lost > 0 ? [`${lost} acknowledged lines of imports have no record.`] : [],
      ...wrong > 0 ? [`${wrong} acknowledged notes are not stored.`] : [],
    ];
  }

  /** Compares the jobs with the records and with the audit log. */
  async function jobFindings(
    kv: Kv,
    stored: Record<string, ComparableRecord>,
  ): Promise<string[]> {
    const findings: string[] = [];
    const jobs = await listAll<Job>(kv, { prefix: ["job"] });
    const audit = (await listAll<AuditEntry>(kv, { prefix: ["audit"] })).map(({ value }) => value);
    const byJob = Map.groupBy(audit, ({ action, details }) => `${action} ${details?.job}`);
    for (const { key, value: { act, done, most } } of jobs) {
      const id = String(key[1]);
      const entries = byJob.get(`${JOB_ACTIONS[act]} ${id}`) ?? [];
      const people = new Set(entries.map(({ address }) => address)).size;
      const group = addressesOf(Number(id.split("-")[1]), act);
      const acted = group.filter((email) =>
        act === "erase" ? !Object.hasOwn(stored, email) : timesAsked(stored[email]) > 0
      ).length;
      const twice = group.filter((email) =>
        timesAsked(stored[email]) > 1
      ).length;
      if (done > most || entries.length !== done || people !== done || acted !== done) {
        findings.push(
          `The job ${id} says ${done} of ${most}; it has ${entries.length} entries about ${people} people, and has ` +
            `acted on ${acted}.`,
        );
      }
      if (twice > 0) findings.push(`The job ${id} has asked ${twice} people twice.`);
    }
    const ids = new Set(jobs.map(({ key }) => String(key[1])));
    const lost = started.difference(ids).size;
    if (lost > 0) findings.push(`${lost} jobs that were started are gone.`);
    return findings;
  }

  return {
    imported,
    notes,
    load: {
      acknowledged: new Acknowledged(),
      refusals,
      async run(service: Serving): Promise<void> {
        // A rejected promise is a broken connection: its call was not answered, and the process is gone.
        await Promise.allSettled([workOnImports(service), writeNotes(service)]);
      },
    },
    /** Completes the present import and its jobs. */
    async finish(service: Serving): Promise<void> {
      isEnding = true;
      await workOnImports(service);
    },
    /** Says which acknowledged calls are not stored, and what is wrong with the jobs, in sentences. */
    async findingsIn(kv: Kv): Promise<string[]> {
      const stored = await storedSignUps(kv);
      return [...lostPeople(stored), ...await jobFindings(kv, stored)];
    },
  };
}

/** What is wrong with the lists and the counters of the line, in sentences. */
async function listFindings(kv: Kv): Promise<string[]> {
  const findings: string[] = [];
  const line = await finish(checkLine(kv, { repairs: false, progress: 0 }));
  if (line.length > 0) findings.push(`${line.length} counters of the line are wrong.`);
  await assertListsAgree(kv).catch(({ message }: Error) => findings.push(message));
  return findings;
}

/** Finds notes on people who are not on the list, anywhere in the store. */
async function noteFindings(kv: Kv): Promise<string[]> {
  const stored = await storedSignUps(kv);
  const texts = (await everyEntry(kv)).map(({ key, value }) => JSON.stringify([key, value]));
  const noted = texts.flatMap((text) =>
    [...text.matchAll(/Note \d+ on ([\w.-]+@example\.com)/g)].map(([, email]) => email!)
  );
  const left = noted.filter((email) => !Object.hasOwn(stored, email)).length;
  return left > 0 ? [`${left} notes on erased people are left.`] : [];
}
