/** Corrects an address: moves the record of a person to another one, in one commit. @module */
import type { Correction, CorrectionRequest } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  correctRecord,
  erasureMarks,
  isOwnErasureMark,
  newInvitationCode,
} from "../../waitlist/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { readOne, readWithSchema, signUpKey, waveNamedKey } from "../kv/mod.ts";
import { findItems } from "../outbox/mod.ts";
import { createLetterLimitChanges, readMailboxes } from "./letter_limits.ts";
import type { ChangeOptions } from "./changes.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { erasureKeysOf, findMarks } from "./erasure_marks.ts";

export type CorrectionOutcome =
  | Correction
  /** The old address has no record. */
  | { refused: "unknown"; erasedAt: string | undefined }
  /** The new address is on the list, or somebody else was erased from there; or a record cannot be read. */
  | { refused: "on_list" | "erased" | "unreadable" };

interface CorrectionStoreOptions extends ChangeOptions {
  random: RandomBytes;
  /** `undefined` where it is not known where the person's invitation leads. */
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
}

/** Gives a person another address; a repetition gives `corrected_before`. @param request lower-cased addresses */
export function correctAddress(
  { email, newEmail }: CorrectionRequest,
  { kv, outbox, random, at: now, audit, findInvitationUrl }: CorrectionStoreOptions,
): Promise<CorrectionOutcome> {
  const at = new Date(now).toISOString();
  const both = [email, newEmail];
  return commitPeople<CorrectionOutcome>(kv, async () => {
    const { schema, entries } = await readWithSchema<SignUpRecord>(kv, both.map(signUpKey));
    const [entry, newEntry] = entries;
    const refuse = (refused: CorrectionOutcome) => ({ result: () => refused });
    if (!entry || !newEntry) return refuse({ refused: "unreadable" });
    const keys = erasureKeysOf(schema, random);
    const [address = ""] = erasureMarks(keys, email);
    const newMarks = erasureMarks(keys, newEmail);
    const marks = await findMarks(kv, schema, both);
    const before = entry.value;
    if (!before) {
      const last = newEntry.value?.corrections?.at(-1);
      if (!last || !erasureMarks(keys, email).includes(last.address)) {
        return refuse({ refused: "unknown", erasedAt: marks.get(email) });
      }
      const { state } = newEntry.value!;
      return refuse({ outcome: "corrected_before", correctedAt: last.at, state });
    }
    if (newEntry.value) return refuse({ refused: "on_list" });
    const erasedAt = marks.get(newEmail);
    if (erasedAt && !isOwnErasureMark(before, { erasedAt, marks: newMarks })) {
      return refuse({ refused: "erased" });
    }

    const mailboxes = await readMailboxes(kv, schema, both);
    if (both.some((each) => mailboxes.get(each)?.isUnreadable)) {
      return refuse({ refused: "unreadable" });
    }
    const letterLimits = createLetterLimitChanges(mailboxes);
    letterLimits.note(email, before, undefined);
    const { record, letter, event } = correctRecord(before, {
      at,
      address,
      asksToConfirm: outbox.letters,
      letterLimit: letterLimits.of(newEmail, undefined),
      invitationCode: newInvitationCode(random),
    });
    const invitationUrl = letter === "invitation" ? await findInvitationUrl(record) : undefined;
    const isSent = outbox.letters && (letter === "confirmation" || invitationUrl !== undefined);
    const sent = isSent && letter !== "link" ? letter : undefined;
    if (sent === "confirmation") letterLimits.note(newEmail, undefined, record);
    const items = await findItems(kv, before.outbox);
    const named = await readOne<string>(kv, waveNamedKey(email));
    const events = items.filter(({ item }) => "event" in item.message).map(({ id }) => id);
    const step = {
      record: { ...record, ...events.length > 0 && { outbox: events } },
      ...sent && { letter: sent },
      ...event && { event },
    };
    const change: PeopleCommit = {
      people: [
        { email, entry, change: { leaves: "corrected", at: now } },
        { email: newEmail, entry: newEntry, change: step, invitationUrl, formerEmail: email },
      ],
      schema,
      outbox,
      letterLimits,
      audit: audit && {
        ...audit,
        address: newMarks[0]!,
        details: { ...audit.details, formerAddress: address },
      },
      also(commit, changes) {
        changes.correct(newEmail, items);
        commit.check(named);
        if (named.value) commit.set(waveNamedKey(newEmail), named.value);
      },
    };
    const { state } = record;
    const result = () => ({
      outcome: "corrected" as const,
      correctedAt: at,
      state,
      ...sent && { letter: sent },
    });
    return { change, result };
  });
}
