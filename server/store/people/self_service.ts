/**
 * What the self-service page reads and changes of a person, by the token in the page's link. A token names a record by
 * its id, so that it gives no access to a later record of the same address. `link_letters.ts` sends such links, and
 * `self_service_details.ts` reads what the page shows. @module
 */
import { base64url } from "jose";
import type { Metrics } from "../../observe/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  type AnswerChanges,
  confirmSignUp,
  type ConsentText,
  consentTextId,
  giveReferralCode,
  newReferralCode,
  readSelfServiceToken,
  type SelfServiceOwner,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { type Commit, findValue, type Kv, signUpKey, withinDeadline } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { setAnswers } from "./answers.ts";
import { changeRecords, type PersonDecision } from "./change_records.ts";
import { setConsentText } from "./consent_texts.ts";
import { createLinkLetters, type LinkLetters, type LinkLettersOptions } from "./link_letters.ts";
import { readSelfServiceDetails, type SelfServiceDetails } from "./self_service_details.ts";

/** The functions of the self-service page for one call. All their work in KV shares the deadline of the call. */
export interface SelfServiceCalls {
  /**
   * Finds the person whom a token names, and the person's record if it still exists; `undefined` for a text that is no
   * token. Every text causes the same number of reads, so that the time of the answer does not tell whether the token
   * is valid.
   */
  find: (
    token: string,
  ) => Promise<{ owner: SelfServiceOwner; record: SignUpRecord | undefined } | undefined>;
  /** Confirms the sign-up, and stores the wording to which the person agreed. */
  confirm: (owner: SelfServiceOwner, wording: ConsentText) => Promise<void>;
  /** Gives the person a referral code, unless the person has one. Does nothing if referrals are off. */
  addReferralCode: (owner: SelfServiceOwner) => Promise<void>;
  /**
   * Changes the answers to role and use case.
   * @returns `full` if an answer is new and the list of known answers has no room for it; nothing has changed then
   */
  saveAnswers: (owner: SelfServiceOwner, answers: AnswerChanges) => Promise<"full" | undefined>;
  /** Erases the person and leaves an erasure mark. */
  leave: (owner: SelfServiceOwner) => Promise<void>;
  /** Reads what the service keeps about a person outside the record. */
  readDetails: (email: string, record: SignUpRecord) => Promise<SelfServiceDetails>;
}

interface SelfServiceCallsOptions extends Pick<Runtime, "now"> {
  kv: Kv;
  outbox: OutboxOptions;
  /** Whether people get referral codes (the variable `REFERRALS`). */
  givesReferralCodes: boolean;
  /** Whether people see their place in line (the variable `PLACE_IN_LINE`). */
  showsPlaceInLine: boolean;
  /** Counts, for the metrics, the confirmation of a person who came by a referral. Absent without metrics. */
  noteReferral?: Metrics["countReferral"] | undefined;
  /**
   * Reads the keys of the links to the self-service page, in base64url. All keys decrypt links; the first key also
   * encrypts new links.
   */
  readKeys: (kv: Kv) => Promise<string[]>;
  findInvitationUrl: (kv: Kv, record: SignUpRecord) => Promise<string | undefined>;
}

/** Makes the functions for one call of the page. */
export function createSelfServiceCalls(options: SelfServiceCallsOptions): SelfServiceCalls {
  const {
    kv,
    now,
    outbox,
    givesReferralCodes,
    showsPlaceInLine,
    noteReferral,
    readKeys,
    findInvitationUrl,
  } = options;

  /** Changes the person whom a token names. A later person with the same address stays unchanged. */
  async function changePerson(
    { email, id }: SelfServiceOwner,
    decide: (record: SignUpRecord, at: string) => ReturnType<PersonDecision["decide"]>,
    extend?: (commit: Commit) => void,
  ): Promise<void> {
    const at = new Date(now()).toISOString();
    const decision: PersonDecision = {
      email,
      decide: (record) => record?.id === id ? decide(record, at) : "unchanged",
    };
    const unreadable = await changeRecords(kv, [decision], { outbox, extend });
    if (unreadable.size > 0) throw new Error("KV cannot read the record of the person.");
  }

  /**
   * Tells `note` whether the referral of a person counts. Does nothing if the person came by no referral. An error of
   * the read is ignored, because only the metrics need the result.
   */
  async function noteReferralOf(email: string, note: (counts: boolean) => void): Promise<void> {
    const record = await findValue<SignUpRecord>(kv, signUpKey(email)).catch(() => undefined);
    if (record?.referralCounts !== undefined) note(record.referralCounts);
  }

  return {
    async find(token) {
      const keys = await readKeys(kv);
      const owner = await readSelfServiceToken(token, keys.map((key) => base64url.decode(key)));
      // Without an owner, reads the record of the empty address, which nobody has.
      const record = await findValue<SignUpRecord>(kv, signUpKey(owner?.email ?? ""));
      return owner && { owner, record: record?.id === owner.id ? record : undefined };
    },

    async confirm(owner, wording) {
      let isReferred = false;
      await changePerson(
        owner,
        (record, at) => {
          isReferred = record.state === "unconfirmed" && record.referrerId !== undefined;
          if (record.state !== "unconfirmed") return "unchanged";
          const consentText = consentTextId(wording);
          const referralCode = givesReferralCodes ? newReferralCode(outbox.random) : undefined;
          return confirmSignUp(record, { at, consentText, referralCode });
        },
        (commit) => setConsentText(commit, wording),
      );
      if (isReferred && noteReferral) await noteReferralOf(owner.email, noteReferral);
    },

    async addReferralCode(owner) {
      if (!givesReferralCodes) return;
      const code = newReferralCode(outbox.random);
      await changePerson(owner, (record, at) => {
        const step = giveReferralCode(record, code, at);
        return step.record === record ? "unchanged" : step;
      });
    },

    async saveAnswers({ email, id }, answers) {
      const options = { kv, random: outbox.random, now: now() };
      const outcome = await setAnswers({ email, id }, answers, options);
      // The page has found the record before. Any other refusal means that the record was removed or damaged since.
      return "refused" in outcome && outcome.refused === "full" ? "full" : undefined;
    },

    leave: (owner) => changePerson(owner, () => ({ leaves: "person", at: now() })),

    readDetails: (email, record) =>
      readSelfServiceDetails(kv, { email, record }, {
        showsPlaceInLine,
        findInvitationUrl: (person) => findInvitationUrl(kv, person),
      }),
  };
}

/** What the self-service page gets from the store. */
export interface SelfService extends LinkLetters {
  /** Does the work of a call. All calls of KV in the work share one deadline. */
  inCall: <T>(work: (calls: SelfServiceCalls) => Promise<T>) => Promise<T>;
}

/** What the self-service page needs of the store. */
export interface SelfServiceOptions
  extends Omit<SelfServiceCallsOptions, "now">, Pick<LinkLettersOptions, "callLater"> {
  runtime: LinkLettersOptions["runtime"];
}

/** Makes the functions for the self-service page. */
export function createSelfService(options: SelfServiceOptions): SelfService {
  const { kv, runtime: { now } } = options;
  const { askForLink, close } = createLinkLetters(options);
  return {
    inCall: (work) =>
      withinDeadline(kv, (callKv) => work(createSelfServiceCalls({ ...options, kv: callKv, now }))),
    askForLink,
    close,
  };
}
