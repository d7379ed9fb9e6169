/** Outbox workers on a KV, whose letters and events go where the test says. @module */
import type { SendOutcome } from "../../server/letters/letter.ts";
import { createOutboxWorker } from "../../server/letters/work/mod.ts";
import { createMailState } from "../../server/store/outbox/mail_state.ts";
import type { OutboxStore } from "../../server/store/outbox/work.ts";
import { createOutboxStore } from "../../server/store/people/outbox_commits.ts";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { inviteSignUp } from "../../server/waitlist/transitions.ts";
import { recordLog } from "./log.ts";
import { changeRecord, OUTBOX, recordId, storeSignUp } from "./records.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** A KV in memory with people in its outbox, a clock, and a worker. */
export async function startOutbox(emails: string[], behaviour: Behaviour = {}) {
  const kv = await openMemoryKv();
  const clock = { now: START };
  await join(kv, emails);
  const worker = startWorker(kv, clock, behaviour);
  return {
    kv,
    clock,
    worker,
    /** Does one round a second for some seconds. */
    async beat(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second++) {
        await worker.round();
        clock.now += 1_000;
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

/** The outcomes of letters and events. By default, all are sent. */
interface Behaviour {
  send?: (email: string) => SendOutcome | Promise<SendOutcome>;
  report?: () => string | undefined;
  perMinute?: number;
  capacity?: () => number;
  /** Gives functions that replace those of the store. */
  replace?: (store: OutboxStore) => Partial<OutboxStore>;
}

/** Makes a worker whose clock the test moves, with the letters, events and log lines of the worker. */
export function startWorker(kv: Kv, clock: { now: number }, behaviour: Behaviour = {}) {
  const letters: { email: string; id: string; letter: string }[] = [];
  /** The addresses to which the worker tried to send a letter. */
  const tried: string[] = [];
  const events: { email: string; event: string }[] = [];
  const { log, lines } = recordLog();
  const monotonic = () => performance.now();
  const store = createOutboxStore(kv, { monotonic });
  const worker = createOutboxWorker({
    store: { ...store, ...behaviour.replace?.(store) },
    mailState: createMailState(kv),
    letterSender: {
      async send({ id, item: { email, message } }) {
        tried.push(email);
        const outcome = await behaviour.send?.(email) ?? { kind: "taken" };
        if (outcome.kind === "taken" && "letter" in message) {
          letters.push({ email, id, letter: message.letter });
        }
        return outcome;
      },
      capacity: behaviour.capacity ?? (() => Infinity),
      perMinute: behaviour.perMinute ?? 60_000,
    },
    sendEvent({ item: { email, message } }) {
      const answer = behaviour.report?.();
      if (answer === undefined && "event" in message) events.push({ email, event: message.event });
      const delivery = { at: clock.now, ms: 1 };
      return Promise.resolve(
        answer === undefined ? { ...delivery, status: 204, answer: "" } : { ...delivery, answer },
      );
    },
    now: () => clock.now,
    log,
  });
  /** Does one round of work, and waits until everything is sent. */
  async function round(): Promise<void> {
    worker.wake();
    await worker.work();
    await worker.settled();
  }
  return { ...worker, letters, tried, events, log: lines, round };
}

/** Signs people up one after the other, within the last milliseconds before a moment. */
export async function join(kv: Kv, emails: string[], at = START): Promise<void> {
  const signUps = emails.map((email, index) => ({
    signUp: { email },
    at: new Date(at - (emails.length - 1 - index) % 50).toISOString(),
    id: recordId(),
  }));
  for (let from = 0; from < signUps.length; from += 90) {
    await storeSignUps(kv, signUps.slice(from, from + 90), { outbox: OUTBOX });
  }
}

/** Puts a person on the list, and invites the person. */
export async function invite(kv: Kv, email: string, now = START): Promise<void> {
  const at = new Date(now).toISOString();
  await storeSignUp(kv, { email }, at);
  await changeRecord(kv, email, (record) => {
    return inviteSignUp(record, { at, invitationCode: "c", wave: "w" });
  });
}
