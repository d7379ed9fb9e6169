/**
 * Changes a person's optional answers to role and use case (`building`). `known_slugs.ts` keeps the list of values
 * (slugs) that answers may have. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  type AnswerChanges,
  changeAnswers,
  learnSlugs,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { KNOWN_SLUGS, type Kv, readWithSchema, signUpKey } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { NO_SLUGS, readSlugsWithRoom } from "./known_slugs.ts";

/**
 * The record after the change, or the reason why the record stays unchanged. `unknown` means that there is no record
 * with the address and the id, `unreadable` that the record cannot be read, and `full` that the list of known slugs has
 * no room for a new slug.
 */
export type AnswersOutcome =
  | { record: SignUpRecord }
  | { refused: "unknown" | "unreadable" }
  | { refused: "full"; message: string };

/** Changes the answers of a person. */
export function setAnswers(
  { email, id }: {
    email: string;
    /** The id that the record must have; absent if the record may have any id. */
    id?: string;
  },
  answers: AnswerChanges,
  { kv, random, now, audit }: {
    kv: Kv;
    random: RandomBytes;
    /** The present moment, in milliseconds since 1970. */
    now: number;
    audit?: AuditEntry;
  },
): Promise<AnswersOutcome> {
  const givenSlugs = { role: answers.role ?? undefined, building: answers.building ?? undefined };
  return commitPeople<AnswersOutcome>(kv, async () => {
    const slugsEntry = await readSlugsWithRoom(kv, [{ answers: givenSlugs }]);
    const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
    if (!entry) return { result: () => ({ refused: "unreadable" }) };
    const before = entry.value;
    const isOtherPerson = id !== undefined && before?.id !== id;
    if (!before || isOtherPerson) return { result: () => ({ refused: "unknown" }) };
    const learned = learnSlugs(slugsEntry.value ?? NO_SLUGS, givenSlugs);
    if ("refused" in learned) {
      return { result: () => ({ refused: "full", message: learned.refused }) };
    }
    const record = changeAnswers(before, answers, new Date(now).toISOString());
    const peopleCommit: PeopleCommit | undefined = record === before ? undefined : {
      people: [{ email, entry, change: { record } }],
      schema,
      outbox: { ...NO_OUTBOX, random },
      audit,
      extend(commit) {
        commit.check(slugsEntry);
        if (learned.slugs !== slugsEntry.value) commit.set(KNOWN_SLUGS, learned.slugs);
      },
    };
    return { peopleCommit, result: () => ({ record }) };
  });
}
