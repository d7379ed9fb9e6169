/**
 * Finds and changes invitations by their codes. The list of codes leads only to people who may have a code. The code is
 * valid if it is also in the record of the person. @module
 */
import type { AuditEntry, InvitationCheck } from "../../../shared/operator_schemas.ts";
import type { RedeemFault, SignUpRecord, Step } from "../../waitlist/mod.ts";
import {
  addressOf,
  invitationCodeSelector,
  type Kv,
  readPage,
  readWithSchema,
  signUpKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { commitPeople } from "../people/mod.ts";

/** The record of the person after the change, or the reason why it stays as it is. */
export type InvitationOutcome =
  | { email: string; record: SignUpRecord }
  /** `ambiguous`: imports have given the code to several people. */
  | { refused: RedeemFault | "unknown" | "ambiguous" };

/**
 * Changes the record of an invited person as `decide` says. `decide` is called again if another commit came first.
 * @param invitation the code, and the address if several people may have the code
 */
export function changeInvitation(
  kv: Kv,
  { code, email: givenEmail }: InvitationCheck,
  decide: (record: SignUpRecord) => Step | RedeemFault,
  { outbox, audit }: { outbox: OutboxOptions; audit?: AuditEntry | undefined },
): Promise<InvitationOutcome> {
  return commitPeople<InvitationOutcome>(kv, async () => {
    const emails = givenEmail === undefined ? await readEmailsOfCode(kv, code) : [givenEmail];
    if (emails.length > 1) return { result: () => ({ refused: "ambiguous" }) };
    // If no person has the code, reads the record of an empty address, which nobody has.
    const [email = ""] = emails;
    const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
    const record = entry?.value;
    if (!record?.invitationCode || record.invitationCode !== code) {
      return { result: () => ({ refused: "unknown" }) };
    }
    const decision = decide(record);
    if (typeof decision === "string") return { result: () => ({ refused: decision }) };
    const result = () => ({ email, record: decision.record });
    if (decision.record === record) return { result };
    const people = [{ email, entry, change: decision }];
    return { peopleCommit: { people, schema, outbox, audit }, result };
  });
}

/** Reads the addresses of the people who may have a code: two at most, because two are already ambiguous. */
async function readEmailsOfCode(kv: Kv, code: string): Promise<string[]> {
  const entries = await readPage(kv, invitationCodeSelector(code), { limit: 2 });
  return entries.map(({ key }) => addressOf(key));
}
