/** What the person's page reads and changes, by the link's token; it leaves a record with another id alone. @module */
import { base64url } from "jose";
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { askForLink, confirmSignUp, type ConsentText, consentTextId } from "../../waitlist/mod.ts";
import { type NewAnswers, readSelfServiceToken } from "../../waitlist/mod.ts";
import { type SelfServiceOwner, type SignUpRecord } from "../../waitlist/mod.ts";
import type { Commit, Kv } from "../kv/mod.ts";
import {
  Batcher,
  checksFor,
  findValue,
  signUpKey,
  VALUE_FAULT,
  withinDeadline,
} from "../kv/mod.ts";
import { readAuditLogOf } from "../audit/mod.ts";
import { setAnswers } from "./answers.ts";
import { findConsentText, setConsentText } from "./consent_texts.ts";
import { findItems, letterDelayOf, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./commit.ts";

export interface SelfServiceOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "log">;
  outbox: OutboxOptions;
  /** Calls a function after some milliseconds, unless it is cancelled; by default by a timer of the runtime. */
  later?: (ms: number, run: () => void) => () => void;
  /** In base64url. */
  readKeys: (kv: Kv) => Promise<string[]>;
  findInvitationUrl: (kv: Kv, record: SignUpRecord) => Promise<string | undefined>;
}

function laterByTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Addresses that may wait for the letter with their link. */
const MAX_WAITING = 10_000;

/** The work of such a letter begins within this time, in milliseconds. */
const MAX_DELAY_MS = 2_000;

interface AskedLink extends Required<Pick<PersonDecision, "email" | "letterDelay">> {
  cancel?: () => void;
}

export type SelfServiceCalls = ReturnType<typeof createSelfServiceCalls>;

/** Gives what a page reads and changes of the person, on the KV of its call. */
export function createSelfServiceCalls(
  { kv, now, outbox, readKeys, findInvitationUrl }:
    & Pick<SelfServiceOptions, "kv" | "outbox" | "readKeys" | "findInvitationUrl">
    & Pick<Runtime, "now">,
) {
  async function change(
    { email, id }: SelfServiceOwner,
    decide: (record: SignUpRecord, at: string) => ReturnType<PersonDecision["decide"]>,
    also?: (commit: Commit) => void,
  ): Promise<void> {
    const at = new Date(now()).toISOString();
    const only: PersonDecision = {
      email,
      decide: (record) => record?.id === id ? decide(record, at) : "unchanged",
    };
    const unreadable = await changeRecords(kv, [only], { outbox, ...also && { also } });
    if (unreadable.size > 0) throw new Error(VALUE_FAULT);
  }

  return {
    /** Finds whom a token names, and the record if there still is one. Every text takes the same reads. */
    async find(token: string) {
      const keys = await readKeys(kv);
      const owner = await readSelfServiceToken(token, keys.map((key) => base64url.decode(key)));
      const record = await findValue<SignUpRecord>(kv, signUpKey(owner?.email ?? ""));
      return owner && { owner, record: record?.id === owner.id ? record : undefined };
    },

    /** Freezes the proof that the person agreed to the wording. */
    confirm: (owner: SelfServiceOwner, wording: ConsentText) =>
      change(
        owner,
        (record, at) => {
          if (record.state !== "unconfirmed") return "unchanged";
          return confirmSignUp(record, { at, consentText: consentTextId(wording) });
        },
        (commit) => setConsentText(commit, wording),
      ),

    /** Changes role and use case; gives `full` where there is no room for them. */
    async answer({ email, id }: SelfServiceOwner, answers: NewAnswers) {
      const options = { kv, random: outbox.random, at: now() };
      const outcome = await setAnswers({ email, id }, answers, options);
      return "message" in outcome ? outcome.refused : undefined;
    },

    leave: (owner: SelfServiceOwner) => change(owner, () => ({ leaves: "person", at: now() })),

    /** Reads what is not in a record: what waits, the wording, the link, and what operators did, without names. */
    async readRest(email: string, record: SignUpRecord) {
      const { proof } = record;
      const items = await findItems(kv, record.outbox);
      // Events that were taken stay for a while, and what was refused for good is not sent again by itself.
      const due = items.filter(({ item: { queue } }) =>
        queue !== "delivered" && queue !== "refused"
      );
      const waiting = due.map(({ item: { message, putAt } }) => ({
        ..."letter" in message ? { letter: message.letter } : { event: message.event },
        putAt: new Date(putAt).toISOString(),
      }));
      const wording = proof && await findConsentText(kv, proof.consentText);
      const invitationUrl = await findInvitationUrl(kv, record);
      const entries = await readAuditLogOf(kv, email, record);
      const history = entries.map(({ at, action }) => ({ at, action }));
      const rest = { ...wording && { wording }, ...invitationUrl && { invitationUrl } };
      return { waiting, history, ...rest };
    },
  };
}

export function createSelfService(
  { kv, runtime, outbox, readKeys, findInvitationUrl, later = laterByTimer }: SelfServiceOptions,
) {
  const { now, monotonic, log } = runtime;
  const links = new Batcher<AskedLink, unknown>({
    run(asked, signal) {
      const at = new Date(now()).toISOString();
      const byAddress = new Map(asked.map((each) => [each.email, each]));
      const changes = Array.from(byAddress.values(), (each): PersonDecision => ({
        ...each,
        decide(record, { letterLimit }) {
          const step = record && askForLink(record, at, letterLimit);
          return step?.letter ? step : "unchanged";
        },
      }));
      return changeRecords(kv, changes, { outbox, signal });
    },
    maxBatch: checksFor(kv),
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
  });
  const asked = new Set<AskedLink>();

  function begin(link: AskedLink): void {
    link.cancel?.();
    asked.delete(link);
    links.add(link)?.catch((error: Error) => {
      log.error("a link was not sent, as KV failed", { error: error.message });
    });
  }

  return {
    /** Does the work of a call, which has one deadline for all that it asks of the store. */
    inCall: <T>(work: (calls: SelfServiceCalls) => Promise<T>): Promise<T> =>
      withinDeadline(
        kv,
        (callKv) =>
          work(createSelfServiceCalls({ kv: callKv, now, outbox, readKeys, findInvitationUrl })),
      ),

    /**
     * Puts the letter with the link into the outbox for an address on the list, within the letter limits. It
     * returns at once, and the work begins after a random time: so neither this answer's time nor the next one's tells
     * whether the address is on the list. Without mail, it does nothing.
     */
    askForLink(email: string, address?: ClientAddress): void {
      if (!outbox.letters) return;
      if (asked.size >= MAX_WAITING) {
        return log.warn("a link was not sent, as too many are asked for");
      }
      const link: AskedLink = { email, letterDelay: letterDelayOf(outbox, address) };
      asked.add(link);
      const part = new DataView(outbox.random(4).buffer).getUint32(0) / 2 ** 32;
      link.cancel = later(part * MAX_DELAY_MS, () => begin(link));
    },

    close() {
      for (const link of asked) begin(link);
      return links.flush();
    },
  };
}
