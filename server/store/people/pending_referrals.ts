/**
 * Finds out, after an import or a restore, who referred the people who came by a referral code. `bulk_sign_ups.ts`
 * stores these people with their codes. @module
 */
import { resolveReferral } from "../../waitlist/mod.ts";
import { addressesOf, type Kv, pages, PENDING_REFERRALS } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./change_records.ts";
import { maxPeopleInCommit } from "./commit_size.ts";
import { findRecords } from "./records.ts";
import { findReferrerIds } from "./referral_codes.ts";

/**
 * Stores, in the record of each person with a pending referral code, the person to whom the code belongs. The caller
 * calls this function after the last line of an import, because the line of a referring person may come after the lines
 * of the referred people.
 */
export async function resolveReferrals(kv: Kv): Promise<void> {
  for await (const page of pages(kv, PENDING_REFERRALS)) {
    const people = await findRecords(kv, addressesOf(page));
    const codes = people.flatMap(({ record }) => record.pendingReferral?.code ?? []);
    const ids = await findReferrerIds(kv, new Set(codes));
    const decisions = people.map(({ email }): PersonDecision => ({
      email,
      decide(record) {
        if (!record?.pendingReferral) return "unchanged";
        return { record: resolveReferral(record, ids.get(record.pendingReferral.code)) };
      },
    }));
    const size = maxPeopleInCommit(kv, 1);
    while (decisions.length > 0) {
      await changeRecords(kv, decisions.splice(0, size), { outbox: NO_OUTBOX, isImport: true });
    }
  }
}
