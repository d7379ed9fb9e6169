/**
 * The waves of `deno task test:crash`: the process is killed at a random moment while it works on waves of invitations
 * and a mail server takes their letters, which it counts. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { openWaveKey } from "../../../server/store/kv/keys.ts";
import { readWaves } from "../../../server/store/invitations/waves.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { makeStore, type StoreKind } from "../../support/kv_stores.ts";
import { allNoted, letterFaults, letterId, mailVariables, makeAllDue } from "../../support/mail.ts";
import { listAll } from "../../support/memory_kv.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { RuntimeName } from "../../support/process.ts";
import { fromNewSource, operate, type Serving } from "../../support/process_requests.ts";
import { storedSignUps } from "../../support/records.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { Acknowledged, startVictim, whileServing } from "../../support/victim.ts";
import { crashRounds, type Trial } from "./rounds.ts";

const LIFETIME_MS = 1_500;

/** So many people that a wave is under way when the process is killed. */
const NEXT = 600;

/**
 * Starts a wave in each round, of the next people and of people by name in turn, and kills the process; at the end every
 * wave has exactly its number and no names, no code is given twice, and each person has one letter, which a mail server
 * may have taken once more where it was cut by a kill.
 */
export async function crashWaves(rounds: number, kind: StoreKind, runtimes: RuntimeName[]) {
  await using store = await makeStore(kind);
  await using server = await startSmtpServer();
  const variables = { ...mailVariables(server), ...store.variables };
  const people = rounds * NEXT + 50;
  // A process makes the store's schema.
  await whileServing(variables, () => Promise.resolve());
  {
    using opened = await store.open();
    await storeWaiting(opened.kv, people);
  }
  const asked = new Set<string>();
  const bodies = new Map<string, object>();
  let round = 0;
  const load: Trial["load"] = {
    acknowledged: new Acknowledged(),
    refusals: [],
    async run(service) {
      const wave = `round-${round}`;
      try {
        // The last people, whom no wave of the next ones reaches.
        const from = people - NEXT * Math.ceil(round / 2);
        const emails = Array.from({ length: NEXT }, (_, n) => nth(from + n));
        const whom = round % 2 === 0 ? { next: NEXT } : { emails };
        const body = { wave, ...whom, link: LINK };
        bodies.set(wave, body);
        const response = await operate(service, "/waves", body);
        if (response.status === 200) asked.add(wave);
        else load.refusals.push(`${response.status} ${await response.text()}`);
      } catch {
        // The process was killed before it answered; the wave may have begun.
      }
    },
  };
  const cuts = new Map<string, number>();
  const findings: string[] = [];
  let underWay = 0;
  const trial = { store, variables, load, lifetimeMs: LIFETIME_MS, runtimes };
  for await (const { kv, findings: found } of crashRounds(trial, rounds)) {
    round++;
    findings.push(...found);
    const waves = await allWaves(kv);
    if (waves.some(({ wave }) => wave.state === "running")) underWay++;
    for (const { id, wave } of waves) {
      if (wave.invited > NEXT) findings.push(`The wave ${id} has invited ${wave.invited}.`);
    }
    // The process of the next round would wait for the claim, and five minutes for the leases of letters.
    for (const { key } of await listAll(kv, { prefix: ["open_wave"] })) {
      await kv.commit(new Commit().set(openWaveKey(String(key[1])), { by: "", until: 0 }));
    }
    for (const id of await makeAllDue(kv)) cuts.set(id, (cuts.get(id) ?? 0) + 1);
  }

  const victim = startVictim(variables);
  const serving = await victim.serving;
  if (!serving) throw new Error("The last process does not listen");
  await untilDone(serving, bodies);
  await allNoted(serving);
  await victim.end("SIGTERM");
  using opened = await store.open();
  const waves = await allWaves(opened.kv);
  for (const { id, wave } of waves) {
    if (wave.state !== "done" || wave.invited !== NEXT) {
      findings.push(`The wave ${id} is ${wave.state} with ${wave.invited} people.`);
    }
  }
  const lost = asked.difference(new Set(waves.map(({ id }) => id))).size;
  if (lost > 0) findings.push(`${lost} waves that were started are gone.`);
  const names = await listAll<string>(opened.kv, { prefix: ["wave_named"] });
  const left = names.filter(({ value }) => waves.some(({ id }) => value.split(" ").includes(id)));
  if (left.length > 0) findings.push(`${left.length} names of waves that are done are left.`);
  const records = Object.entries(await storedSignUps(opened.kv));
  const invited = records.filter(([, { state }]) => state === "invited");
  const codes = new Set(invited.map(([, { invitationCode }]) => invitationCode));
  if (codes.size !== invited.length) findings.push("A code is given twice.");
  for (const { id } of waves) {
    const members = invited.filter(([, { wave }]) => wave === id).length;
    if (members !== NEXT) findings.push(`The wave ${id} has ${members} people.`);
  }
  findings.push(...letterFaults(server, { wanted: invited.map(([email]) => email), cuts }));
  const letters = lettersOf(server).size;
  if (letters !== invited.length) findings.push(`${letters} letters for ${invited.length} people.`);
  return {
    waves: waves.length,
    invited: invited.length,
    letters,
    /** Kills after which a wave was not done. */
    underWay,
    twice: server.letters.length - letters,
    /** What is wrong, in sentences. */
    findings,
  };
}

/** Waits until no wave is under way; starts those again whose begin a kill has cut, which are paused. */
async function untilDone(service: Serving, bodies: ReadonlyMap<string, object>): Promise<void> {
  for (;;) {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}`, ...fromNewSource() };
    const response = await service.request("/operator/v1/waves", { headers });
    const { waves }: { waves: WaveReport[] } = await response.json();
    if (waves.every(({ state }) => state === "done")) return;
    for (const { wave, state } of waves) {
      if (state !== "paused") continue;
      await (await operate(service, "/waves", bodies.get(wave)!)).body?.cancel();
    }
    await delay(100);
  }
}

const allWaves = async (kv: Kv) =>
  (await Array.fromAsync(readWaves(kv))).flatMap(({ entries }) =>
    entries.map((each) => each.value)
  );

const lettersOf = ({ letters }: SmtpServer) => new Set(letters.map(letterId));
