/**
 * The letters of `deno task test:crash`: the process is killed at a random moment while people sign up and a mail
 * server takes their letters, which it counts. @module
 */
import { readOutboxCounts } from "../../../server/store/outbox/counts.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { utcDay } from "../../../server/waitlist/utc_day.ts";
import { letterFaults, letterId, mailVariables, makeAllDue } from "../../support/mail.ts";
import { makeStore, type StoreKind, type TrialStore } from "../../support/kv_stores.ts";
import type { RuntimeName, TestVariables } from "../../support/process.ts";
import type { Serving } from "../../support/process_requests.ts";
import { storedSignUps } from "../../support/records.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { startVictim } from "../../support/victim.ts";
import { createHookLoad, WITH_HOOKS } from "./hooks.ts";
import { crashRounds, createLoad } from "./rounds.ts";

const LIFETIME_MS = 2_500;

/** Few enough sign-ups that their letters keep up with them. */
const PACE = { connections: 8, pauseMs: 10 };

/** How long the mail server takes for a letter, in milliseconds, so that kills come while it does. */
const MAIL_SERVER_MS = 5;

/** The most processes that send what is left at the end. */
const MAX_PROCESSES = 3;

/**
 * Kills processes that send letters, and counts the letters at the mail server: one for each acknowledged address. A
 * letter that was being sent when a process was killed may be taken once more, as nobody can know whether the server
 * took it.
 */
export async function crashLetters(rounds: number, kind: StoreKind, runtimes: RuntimeName[]) {
  await using store = await makeStore(kind);
  await using server = await startSmtpServer();
  await server.behave({ delayMs: MAIL_SERVER_MS });
  const variables = { ...mailVariables(server), ...store.variables, ...WITH_HOOKS };
  const load = createLoad("letters", PACE);
  const hooks = createHookLoad(server);
  /** How often each letter was being sent when the process was killed, by its id. */
  const cuts = new Map<string, number>();
  const findings: string[] = [];
  const startedAt = Date.now();

  const run = async (service: Serving) => {
    await Promise.all([load.run(service), hooks.run(service)]);
  };
  const trial = { store, variables, load: { ...load, run }, lifetimeMs: LIFETIME_MS, runtimes };
  for await (const { kv, findings: found } of crashRounds(trial, rounds)) {
    findings.push(...found);
    // The process of the next round would wait five minutes for the leases that this one has left.
    for (const id of await makeAllDue(kv)) cuts.set(id, (cuts.get(id) ?? 0) + 1);
  }

  const reported = hooks.reported();
  findings.push(...await sendTheRest(server, { store, variables, reported }));
  using opened = await store.open();
  findings.push(...await hooks.findingsIn(opened.kv));
  const stored = await storedSignUps(opened.kv);
  findings.push(...letterFaults(server, { wanted: load.acknowledged.addresses(), cuts }));
  const strangers = server.letters.filter(({ to: [email = ""] }) => !Object.hasOwn(stored, email));
  if (strangers.length > 0) {
    findings.push(`${strangers.length} letters went to nobody on the list.`);
  }
  const ids = new Set(server.letters.map(letterId));
  const { sent } = await readOutboxCounts(opened.kv, utcDay(Date.now()));
  // A letter that a kill has cut is not sent again to who was reported, and so is not noted as sent.
  const unnoted =
    server.letters.filter((letter) =>
      reported.has(letter.to[0] ?? "") && cuts.has(letterId(letter))
    ).length;
  const isRight = sent <= ids.size && sent >= ids.size - unnoted;
  if (!isRight && utcDay(startedAt) === utcDay(Date.now())) {
    findings.push(`${sent} letters are counted as sent; the mail server took ${ids.size}.`);
  }
  return {
    addresses: load.acknowledged.size,
    letters: ids.size,
    /** Reports of bounces and complaints that were answered with 200. */
    reports: hooks.acknowledged.size,
    /** Letters that were being sent when the process was killed. */
    cut: cuts.size,
    /** Letters that the server took twice, as its yes, or the note of it, was lost with the process. */
    twice: server.letters.length - ids.size,
    /** What is wrong, in sentences. */
    findings,
  };
}

/** Runs processes to their usual end until no letter waits. */
async function sendTheRest(
  server: SmtpServer,
  { store, variables, reported }: {
    store: TrialStore;
    variables: TestVariables;
    /** No letter goes to these addresses any more. */
    reported: ReadonlySet<string>;
  },
): Promise<string[]> {
  for (let processes = 0;; processes++) {
    const waiting = await waitingIds(store, reported);
    if (waiting.size === 0) return [];
    if (processes === MAX_PROCESSES) return [`${waiting.size} letters are never sent.`];
    const from = server.letters.length;
    const victim = startVictim(variables);
    await server.until(({ letters }) => {
      for (const letter of letters.slice(from)) waiting.delete(letterId(letter));
      return waiting.size === 0;
    });
    await victim.end("SIGTERM");
  }
}

async function waitingIds(store: TrialStore, reported: ReadonlySet<string>): Promise<Set<string>> {
  using opened = await store.open();
  const items = await readFirstItems(opened.kv, "letters", { limit: Number.MAX_SAFE_INTEGER });
  return new Set(items.filter(({ item }) => !reported.has(item.email)).map(({ id }) => id));
}
