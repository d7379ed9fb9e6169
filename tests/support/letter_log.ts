/** The log of letters in a KV, for tests. @module */
import assert from "node:assert/strict";
import type { SendOutcome } from "../../server/letters/letter.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import type { ListedLetter } from "../../shared/operator_schemas.ts";
import { SECRET, start } from "./mail_hooks.ts";
import { listAll } from "./memory_kv.ts";
import { call, type OperatedService } from "./operator.ts";
import { startWorker } from "./outbox_worker.ts";
import { json } from "./service.ts";

/** Gives the record id of each letter in the log. Each letter must be in both tables of the log. */
export async function readRecordIdsInLog(kv: Kv): Promise<string[]> {
  const byPerson = await listAll(kv, { prefix: ["letter_log"] });
  const byMoment = await listAll(kv, { prefix: ["letter_log_at"] });
  assert.equal(byPerson.length, byMoment.length);
  return byPerson.map(({ key }) => String(key[1]));
}

/** Gives the longest id of an item that a backup may have. */
export const longItemId = (n: number) => `${n}`.padStart(100, "0");

/** A mail server takes the letter. */
export const TAKEN = {
  kind: "taken",
  answer: "250 2.0.0 Ok: queued as 4Zx1Qk0aBcDe",
  messageId: "<1@waitlist.test>",
} as const;

/** A mail server refuses the letter for good. */
export const REFUSED = { kind: "refused_letter", reason: "550 5.7.1 not this one" } as const;

/** Gives a date-time. @param ms milliseconds since 1970 */
export const at = (ms: number) => new Date(ms).toISOString();

/** Starts a service, signs people up, and lets a worker send their letters. */
export async function startWithLetters(
  emails: string[],
  outcomeOf: (email: string) => SendOutcome = () => TAKEN,
) {
  const service = await start(`generic:${SECRET}`);
  for (const [index, email] of emails.entries()) {
    const signUp = json({ email, consent: true });
    const { status } = await service.request("/api/v1/waitlist", {
      ...signUp,
      from: `10.0.${index}.1`,
    });
    assert.equal(status, 200);
    service.clock.now += 1_000;
  }
  const worker = startWorker(service.kv, service.clock, { send: outcomeOf });
  await worker.round();
  return { ...service, worker, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Lists the log of letters as an operator. */
export const logOf = (service: OperatedService, body: object = {}) =>
  call(service, "/letters/list", body) as Promise<{ letters: ListedLetter[]; next?: string }>;
