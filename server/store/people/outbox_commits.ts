/** What the outbox does together with people's records: it gets their commit. @module */
import type { Message, SignUpRecord } from "../../waitlist/mod.ts";
import {
  addressOf,
  type Kv,
  readWithSchema,
  signUpKey,
  VALUE_FAULT,
  waveCountKey,
} from "../kv/mod.ts";
import type {
  Changed,
  CommitWithRecords,
  OutboxStore,
  OutboxWorkOptions,
  RetryOptions,
} from "../outbox/mod.ts";
import { changedBy, createOutboxWork, findItems, findStopped } from "../outbox/mod.ts";
import { makeDue, NO_OUTBOX } from "../outbox/mod.ts";
import { readMailboxes } from "./letter_limits.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";

/** Makes the store of the outbox worker. Without `shared`, each change has a commit of its own. */
export const createOutboxStore = (kv: Kv, shared?: OutboxWorkOptions): OutboxStore =>
  createOutboxWork(kv, {
    commitWithRecords: commitItems,
    async findRecord(email) {
      const { record, complainedAt } = await findComplaint(kv, email);
      return record && { ...record, ...complainedAt !== undefined && { complainedAt } };
    },
  }, shared);

/** Finds a record, if there is one, and when the mailbox of its address complained. */
export async function findComplaint(kv: Kv, email: string) {
  const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
  const { kept: { value: kept } = {}, isUnreadable } = (await readMailboxes(kv, schema, [email]))
    .get(email)!;
  if (isUnreadable) throw new Error(`The letter limit of the mailbox: ${VALUE_FAULT}`);
  const record = entry?.value ?? undefined;
  return { record, complainedAt: kept?.complainedAt ?? record?.complainedAt };
}

/** Makes items due at once. */
export const retryItems = (kv: Kv, options: RetryOptions) => makeDue(kv, options, commitItems);

/** Commits items with the records that they are about; gives those that no other commit has changed before. */
const commitItems: CommitWithRecords = (kv, changes, audit) =>
  commitPeople<Changed>(kv, async () => {
    const emails = [...new Set(changes.map(({ entry }) => entry.item.email))];
    const { schema, entries } = await readWithSchema<SignUpRecord>(kv, emails.map(signUpKey));
    const found = await findItems(kv, changes.map(({ entry }) => entry.id));
    const versions = new Map(found.map(({ id, version }) => [id, version]));
    const asked = changes.flatMap(({ entry, whileStopped }) => whileStopped ? entry : []);
    const stopped = await findStopped(kv, asked, asked.length > 0 ? entries : []);
    const open = changes.filter(({ entry, whileStopped }) =>
      versions.get(entry.id) === entry.version &&
      (!whileStopped || stopped.letters.includes(entry))
    );
    if (open.length === 0) return { result: () => new Map() };
    const refused: [wave: string, by: number][] = [];
    const people = entries.flatMap((entry): PersonChange | [] => {
      if (!entry?.value) return [];
      const { key, value: before } = entry;
      const email = addressOf(key);
      const own = open.filter(({ entry: { item } }) => {
        return item.email === email && item.recordId === before.id;
      });
      if (own.length === 0) return [];
      // Written even where it stays the same; see `findItems()`.
      const record = own.reduce(
        (record, { entry: { id, item: was }, item, changeRecord, outcome }) => {
          const { outbox = [], ...changed } = changeRecord?.(record) ?? record;
          if (isInvitation(was.message)) {
            const by = Number(item?.queue === "refused") - Number(was.queue === "refused");
            if (by !== 0 && record.wave) refused.push([record.wave, by]);
            // As it counts no more among the refused ones, a resumed wave must not take it from their count.
            const { invitation: _, ...ends } = changed.lastLetters ?? {};
            if (by < 0) changed.lastLetters = ends;
            if (outcome?.[0] === "sent") {
              // A letter that a clock put in ahead would else count as one that nobody has taken.
              const takenAt = Math.max(outcome[1], was.putAt);
              changed.invitationTakenAt = new Date(takenAt).toISOString();
            }
          }
          // What is kept without the address is not the person's any more.
          const stays = item?.recordId === before.id;
          const waiting = stays ? outbox : outbox.filter((each) => each !== id);
          return waiting.length === 0 ? changed : { ...changed, outbox: waiting };
        },
        before,
      );
      return { email, entry, change: { record } };
    });
    const change: PeopleCommit = {
      people,
      schema,
      outbox: NO_OUTBOX,
      audit,
      also(commit, items) {
        commit.check(...stopped.waves);
        for (const [wave, by] of refused) commit.add(waveCountKey(wave, "refused"), by);
        for (const each of open) items.change(each);
      },
    };
    return { change, result: (version) => changedBy(version, open) };
  });

const isInvitation = (message: Message) => "letter" in message && message.letter === "invitation";
