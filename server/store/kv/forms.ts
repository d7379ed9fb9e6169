/**
 * Checks the form of values when they are read from the lists of `FORMS`. An entry whose value does not have the form
 * of its list counts as an entry that cannot be read. So a damaged value, or the value of an earlier program, does not
 * make the read of other entries fail. Values of other lists are not checked here, for example because the keys of a
 * list hold all of its data. @module
 */
import { z } from "zod";
import {
  storedErasureMarkSchema,
  storedLetterLimitSchema,
  storedLetterSchema,
  storedScheduleSchema,
  storedSignUpSchema,
  storedWaveSchema,
} from "../../../shared/backup_lines.ts";
import type {
  Entry,
  Key,
  Kv,
  ListOptions,
  MaybeEntry,
  Selector,
  UnreadableEntry,
} from "./engine.ts";

/** The fields of an item of the outbox without which the code cannot send, move or remove the item. */
const outboxItemSchema = z.looseObject({
  email: z.string(),
  recordId: z.string(),
  message: z.union([
    z.looseObject({ letter: z.string() }),
    z.looseObject({ event: z.string(), person: z.looseObject({ email: z.string() }) }),
  ]),
  queue: z.string(),
  putAt: z.number(),
  dueAt: z.number(),
  tries: z.number(),
});

/** The forms of values by the first part of their key, as in `keys.ts`. */
const FORMS: Record<string, z.ZodType> = {
  // Every field may be missing, because the next sign-up or a repair adds it.
  sign_up: storedSignUpSchema.partial(),
  erased: storedErasureMarkSchema.shape.erasedAt,
  brake: storedLetterLimitSchema.omit({ mailbox: true }),
  wave: storedWaveSchema,
  wave_named: z.string(),
  schedule: storedScheduleSchema,
  outbox: outboxItemSchema,
  root_key: z.looseObject({ keyId: z.string(), secret: z.string(), signsFrom: z.number() }),
  statistics: z.number(),
  letter_log: storedLetterSchema,
  // Each letter is a tuple of an address, the id of a record, a kind of letter, and a moment.
  new_letters: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
};

/** Gives a sentence that says why a value does not have a form; `undefined` if the value has the form. */
export function formFault(value: unknown, form: z.ZodType | undefined): string | undefined {
  const issue = form?.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const subject = issue.path.length > 0 ? `field ${issue.path.join(".")}` : "value";
  return `The ${subject} does not have the right form.`;
}

/** Wraps a KV: its reads return an `UnreadableEntry` for an entry whose value does not have the form of its list. */
export function checkForms(kv: Kv): Kv {
  function checkForm<E extends MaybeEntry>(entry: E | UnreadableEntry): E | UnreadableEntry {
    if ("fault" in entry || entry.version === null) return entry;
    const fault = formFault(entry.value, FORMS[entry.key[0]!]);
    return fault === undefined ? entry : { key: entry.key, fault };
  }
  return {
    ...kv,
    get: async <T>(keys: readonly Key[]) => (await kv.get<T>(keys)).map(checkForm<MaybeEntry<T>>),
    list: async <T>(selector: Selector, options: ListOptions) =>
      (await kv.list<T>(selector, options)).map(checkForm<Entry<T>>),
  };
}
